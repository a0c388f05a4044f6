// Sets the colour scheme before the first paint, so that nobody sees a flash of the wrong one.
// A file of its own because the content security policy allows no inline script.
;(function applyColorScheme() {
  var stored = null
  try {
    stored = localStorage.getItem('color-scheme')
  } catch {
    // Storage can be switched off; the system's preference then decides.
  }
  var dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  var root = document.documentElement
  root.classList.toggle('dark', dark)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
