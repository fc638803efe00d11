/** The browser of the tests and pictures: Debian's Chromium, or the one that CHROMIUM names. */
import fs from 'node:fs'

/** The shell is the same browser without windows, which are a fifth of what tests of pages cost. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Path of the program; empty where none is installed. */
export const CHROMIUM =
  process.env['CHROMIUM'] ?? BROWSERS.find((file) => fs.existsSync(file)) ?? ''
