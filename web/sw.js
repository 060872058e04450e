// The till's service worker: caches the built app, so that it opens while the server is down. It never touches a call to the API.

// The build fills in both: the app's files, and a name that changes with them.
const files = self.shellFiles;
const shell = `shell-${self.shellVersion}`;
/** How long to wait for a page before the cached one is shown. */
const pageWithinMs = 3000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(shell);
      await cache.addAll(files);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      // A tab that still runs the previous version of the app may still request its files.
      const shells = (await caches.keys()).filter((name) => name.startsWith("shell-"));
      const old = shells.filter((name) => name !== shell).slice(0, -1);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

async function kept(path) {
  const cache = await caches.open(shell);
  return cache.match(path, { ignoreVary: true });
}

/** The server's page, or the cached one if it fails, takes too long, or is a server error. */
async function page(request) {
  const late = new Promise((resolve) => {
    setTimeout(resolve, pageWithinMs);
  });
  const fetched = fetch(request).catch(() => undefined);
  const first = await Promise.race([fetched, late]);
  if (first !== undefined && first.status < 500) {
    return first;
  }
  return (await kept("/index.html")) ?? first ?? (await fetched) ?? Response.error();
}

/** The name of such a file contains a hash of its content, so a cached one is as good as the server's. */
async function asset(request) {
  const found = await caches.match(request, { ignoreVary: true });
  if (found !== undefined) {
    return found;
  }
  const fetched = await fetch(request);
  if (fetched.ok) {
    const cache = await caches.open(shell);
    await cache.put(request, fetched.clone());
  }
  return fetched;
}

async function otherFile(request, path) {
  try {
    return await fetch(request);
  } catch {
    return (await kept(path)) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) {
    return;
  }
  if (request.mode === "navigate") {
    event.respondWith(page(request));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(asset(request));
  } else if (files.includes(pathname)) {
    event.respondWith(otherFile(request, pathname));
  }
});
