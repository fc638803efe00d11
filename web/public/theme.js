/* Runs before the page is drawn, so that a chosen theme does not flash, and sees which of its files are not there. */
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  /* No storage: the system decides. */
}

{
  const TIMES_MAX = 5
  const FORGOTTEN_AFTER_MS = 300_000
  const WAIT_MS = 1_000
  let isComing = false

  /* Loads the page anew, each time after a longer wait. Returns false where that has not helped, or nobody could know. */
  globalThis.loadAnew = () => {
    if (isComing) return true
    try {
      const [before, at] = JSON.parse(sessionStorage.getItem('loadedAnew') ?? '[0, 0]')
      const times = Date.now() - at < FORGOTTEN_AFTER_MS ? before : 0
      if (times >= TIMES_MAX) return false
      sessionStorage.setItem('loadedAnew', JSON.stringify([times + 1, Date.now()]))
      setTimeout(() => location.reload(), times * WAIT_MS)
      return (isComing = true)
    } catch {
      return false
    }
  }

  /* While machines are upgraded one by one, a page may ask a process of another release for its files. */
  const noteMissing = ({ target: { tagName, rel, src, href } }) => {
    const isNeeded = tagName === 'SCRIPT' || (tagName === 'LINK' && rel === 'stylesheet')
    if (!isNeeded || !/\/assets\//.test(src ?? href) || document.querySelector('#root > *')) return
    if (globalThis.loadAnew()) return
    addEventListener('load', () => {
      document.getElementById('root').textContent =
        'This page could not be loaded: Scriptorium may be changing to another release. Load it again in a minute.'
    })
  }
  addEventListener('error', noteMissing, true)
}
