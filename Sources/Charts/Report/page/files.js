// Files that come and go: dropped on the page, chosen, saved into the same file where the browser allows, or downloaded.

const LABEL_ENDINGS = /\.(tsv|csv|txt|textgrid|rttm|srt|vtt|jsonl?)$/i;
export const LABEL_KINDS = 'TSV, CSV, TextGrid, Audacity, RTTM, SRT, WebVTT, JSON or JSON Lines';

export const isLabelFile = ({ name }) => LABEL_ENDINGS.test(name);

/** Takes files that are dropped, each with the promise of its handle, which some browsers have. */
export function acceptDrops(target, marked, onFiles) {
  const mark = (isOver) => marked.classList.toggle('dropping', isOver);
  target.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  target.addEventListener('dragleave', () => mark(false));
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
    onFiles(items.map((item) => (
      { file: item.getAsFile() ?? new File([], 'What was dropped'), handle: item.getAsFileSystemHandle?.() })));
  });
}

/**
 * Saves a text: into the file of `handle`, or into one that the reader chooses, or as a download. Returns the file's name and
 * its handle; null if the reader has changed their mind.
 */
export async function saveText(text, name, handle) {
  try {
    const chosen = handle ?? await globalThis.showSaveFilePicker?.({ suggestedName: name });
    if (!chosen) return download(text, name);
    const file = await chosen.createWritable();
    await file.write(text);
    await file.close();
    return { name: chosen.name, handle: chosen };
  } catch (error) {
    if (error.name === 'AbortError') return null;
    return download(text, name);
  }
}

function download(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  return { name, handle: null };
}
