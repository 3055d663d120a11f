// The service worker: after the first visit everything is there without a network.
const VERSION = "attnsolve-<<version>>";
const FILES = <<files>>;
const PAGES = <<pages>>; // by their language; the one that is read is kept
const WANTED = [...FILES, ...(PAGES[new URL(location.href).searchParams.get("lang")] || [])];

async function fetchAll() {
  const cache = await caches.open(VERSION);
  const kept = await Promise.all(WANTED.map((file) => cache.match(file)));
  await cache.addAll(WANTED.filter((_, number) => !kept[number]));
}

addEventListener("install", (event) => {
  event.waitUntil(fetchAll().then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("attnsolve-") && name !== VERSION);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(
    caches.open(VERSION).then(async (cache) => {
      const kept = await cache.match(request, { ignoreSearch: true });
      if (kept) return kept;
      const answer = await fetch(request);
      if (answer.ok) await cache.put(request, answer.clone());
      return answer;
    }),
  );
});
