/**
 * Editions of how forms are written. The length and checksums of each form are stored, so what was recorded in an
 * edition is written in it for ever; a change of any byte is a new edition.
 */
export const EDITIONS = [1, 2] as const
export type Edition = (typeof EDITIONS)[number]
export const EDITION: Edition = 2
