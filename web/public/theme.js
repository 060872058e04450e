// Sets the stored theme on the document before the first paint. A separate file, so that the policy can forbid inline scripts.
try {
  if (/^"?dark"?$/.test(localStorage.getItem("theme") ?? "light")) {
    document.documentElement.dataset.theme = "dark";
  }
} catch {
  // Without local storage the theme is light.
}
