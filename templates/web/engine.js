// Python in its worker: questions go out, answers come back, and what is loaded is said.
export function engine({ worker: file, offline }, words, state) {
  const worker = new Worker(file, { type: "module" });
  const waiting = new Map();
  let count = 0, failed = false;
  const heard = {
    loading: ({ step }) => (state.textContent = words.loading[step - 1]),
    failed: ({ why }) => {
      failed = true;
      state.textContent = `${words.failed} ${why}`;
    },
    ready: () => {
      document.body.dataset.ready = "";
      // Only now: a service worker that takes over while Python loads would cut that off.
      navigator.serviceWorker?.register(offline).catch(() => {});
    },
    answer: ({ id, answer }) => {
      if (waiting.size === 1 && !failed) state.textContent = words.ready;
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
  };
  worker.onmessage = ({ data }) => heard[data.kind](data);
  worker.onerror = () => (state.textContent = words.failed);
  state.textContent = words.loading[0];
  return (message) =>
    new Promise((resolve) => {
      waiting.set(++count, resolve);
      worker.postMessage({ id: count, asked: message });
    });
}
