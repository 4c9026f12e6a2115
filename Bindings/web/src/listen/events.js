/** That of browsers, which Node lacks before 19. */
export const CustomEvent = globalThis.CustomEvent ?? class CustomEvent extends Event {
  constructor(type, { detail }) {
    super(type);
    this.detail = detail;
  }
};
