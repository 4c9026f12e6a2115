// Runs before the page is drawn, so that it appears in its theme at once.
'use strict';
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = () => (darkSystem.matches ? 'dark' : 'light');
/** Returns the theme that the reader chose, on whichever report, or the system's. */
function readTheme() {
  try {
    return localStorage.getItem('vadmon-theme') ?? systemTheme();
  } catch { // a browser may refuse storage
    return systemTheme();
  }
}
document.documentElement.dataset.theme = readTheme();
