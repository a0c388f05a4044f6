/** A script for the page of a submission. */

/** Answers when the page that waits for a verdict shows it. */
export const WATCH_VERDICT = `new Promise((resolve) => {
  function look() {
    if (!document.querySelector('main [data-status="0"]')) return
    observer.disconnect()
    resolve(Date.now())
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  look()
})`
