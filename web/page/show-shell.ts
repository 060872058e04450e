// Puts the shell that fits this visitor into the page until the app takes its place. Inline behind the root element.
import { paths } from "#web/paths.ts";
import { needsSession } from "./page-kind.ts";

export type Shell =
  | "login"
  | "user-wide"
  | "user-narrow"
  | "admin-open"
  | "admin-icons"
  | "admin-narrow";

function kept(key: string): string {
  try {
    return localStorage.getItem(key) ?? "null";
  } catch {
    return "null";
  }
}

const isAtLeast = (rem: number): boolean => matchMedia(`(min-width: ${rem}rem)`).matches;

/** The same decisions as `shell/frame.tsx` and `shell/sidebar-room.tsx` make, with what this browser remembers. */
function frameShell(): Shell {
  const isNarrow = !isAtLeast(64);
  if (kept("posPerson") === "null") {
    return isNarrow ? "user-narrow" : "user-wide";
  }
  const choice = kept("sidebar");
  const isOpen = choice === "null" ? isAtLeast(90) : choice.includes("open");
  return isNarrow ? "admin-narrow" : isOpen && isAtLeast(80) ? "admin-open" : "admin-icons";
}

function shellHere(): Shell | undefined {
  const { pathname, search, hash } = location;
  if (pathname === paths.login) {
    // Other modes of the form, and the link that sets up a store, show something else.
    return /[?&]mode=/.test(search) || hash !== "" ? undefined : "login";
  }
  return needsSession(pathname) ? frameShell() : undefined;
}

/** A browser that does not know the store yet learns its name and logo from the page. */
function keepBrand(): void {
  const { store } = document.documentElement.dataset;
  if (store !== undefined && kept("storeBrand") === "null") {
    try {
      localStorage.setItem("storeBrand", store);
    } catch {
      // It may keep nothing: the name comes with the server's answer.
    }
  }
}

/** As at the last visit, so that it does not change when the server has answered. */
function showBrand(shell: Element): void {
  const brand: unknown = JSON.parse(kept("storeBrand"));
  const place = shell.querySelector("[data-brand]");
  if (place === null || typeof brand !== "object" || brand === null) {
    return;
  }
  if ("storeName" in brand && typeof brand.storeName === "string" && place.lastChild !== null) {
    place.lastChild.textContent = brand.storeName;
  }
  if ("logo" in brand && typeof brand.logo === "string") {
    const logo = new Image();
    logo.src = brand.logo;
    logo.className = "h-6 max-w-20 shrink-0 object-contain";
    place.firstChild?.replaceWith(logo);
  }
}

function show(name: Shell): void {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-shell="${name}"]`);
  const root = document.getElementById("root");
  if (template === null || root === null) {
    return;
  }
  const shell = document.createElement("div");
  // Nothing here works yet, and what is typed would be lost.
  shell.inert = true;
  shell.ariaHidden = "true";
  shell.append(template.content);
  for (const input of shell.querySelectorAll("input")) {
    input.readOnly = true;
  }
  for (const link of shell.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === location.pathname) {
      link.ariaCurrent = "page";
    }
  }
  if (name === "login" && !kept("session").includes("open")) {
    shell.querySelector("main")?.classList.remove("invisible");
  }
  showBrand(shell);
  root.append(shell);
}

keepBrand();
const name = shellHere();
if (name !== undefined) {
  show(name);
}
