/** What is measured on every view; docs/accessibility.md tells it. */

/** Rules that axe checks on a page. */
export const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const PHONE = { width: 360, height: 780 }
export const DESK = { width: 1280, height: 860 }
/**
 * Widths of the smallest screen that WCAG knows (1.4.10: also that of 1280 pixels at 400 %), tablets and large screens,
 * at which a desktop page is measured, too.
 */
export const OTHER_WIDTHS = [320, 768, 1440]

/** Most that a page may move by itself once it is seen (CLS); a move after a reader's act does not count. */
export const SHIFT_MAX = 0.02
