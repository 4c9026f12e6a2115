// Browsers start no worker from file://, and the search is one. There, a hidden frame does its work. Material looks for a
// class of this name.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(address) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const { contentWindow: inside } = this.#frame, { href } = new URL(address, location);
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...sources) => sources.reduce(
        (before, source) => before.then(() => this.#load(new URL(source, href))), Promise.resolve());
      this.#ready = this.#load(href);
    }

    #load(address) {
      const script = this.#frame.contentDocument.createElement("script");
      script.src = address;
      this.#frame.contentDocument.body.append(script);
      return new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
    }

    async postMessage(data) {
      await this.#ready;
      this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() { this.#frame.remove(); }
  };
}

// The search takes a '-' before a word for "without"; here, it begins an option.
const { Worker: SearchWorker } = window;
window.Worker = class extends SearchWorker {
  postMessage(message) {
    const isQuery = typeof message.data === "string";
    super.postMessage(isQuery ? { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") } : message);
  }
};
