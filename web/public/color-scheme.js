// Sets the colour scheme before the first paint, so that the wrong one does not flash up.
// A file of its own because the content security policy allows no inline script.
;(function applyColorScheme() {
  var stored = null
  try {
    stored = localStorage.getItem('color-scheme')
  } catch {
    // If storage is switched off, the system's preference decides.
  }
  var dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  var root = document.documentElement
  root.classList.toggle('dark', dark)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
