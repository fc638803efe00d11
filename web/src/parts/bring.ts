/** Brings a part of a page whose heights are not known yet into the window. */

const SETTLE_FRAMES = 40
const STILL_FRAMES = 4

type Brought = {
  find: () => Element | null
  offsetOf: () => number
  block: 'center' | 'nearest' | 'start'
}

/** The one that is being brought. A later one ends its way, and so does the reader's own hand. */
let brought: Brought | null = null

/** Acts that move the page by hand. They are heard before a key's own handler, which may begin another way. */
for (const act of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
  window.addEventListener(act, endByHand, { passive: true, capture: true })

const SCROLL_KEY = /^(?:Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End| )$/

function endByHand(event: Event): void {
  if (!(event instanceof KeyboardEvent) || SCROLL_KEY.test(event.key)) brought = null
}

/**
 * Scrolls until the element stays in its place: heights are estimates until a paragraph is laid out. Where the element
 * is not in the page yet, the window goes to its offset first.
 */
export async function bring(ask: Brought): Promise<void> {
  const { find, offsetOf, block } = ask
  brought = ask
  let still = 0
  let before = Number.NaN
  for (let frame = 0; frame < SETTLE_FRAMES && still < STILL_FRAMES; frame += 1) {
    const element = find()
    if (element === null) window.scrollTo({ top: offsetOf(), behavior: 'instant' })
    else element.scrollIntoView({ block, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(resolve))
    if (brought !== ask) return
    const top = element?.isConnected === true ? element.getBoundingClientRect().top : Number.NaN
    still = Math.abs(top - before) < 1 ? still + 1 : 0
    before = top
  }
}
