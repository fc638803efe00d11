/** Entities: what HTML and XML write in place of characters that mean something there. */

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
}
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|apos|gt|lt|nbsp|quot));/gi
const CODE_POINT_MAX = 0x10_ff_ff

/** Returns the text with the characters themselves; an entity that is none, or of no character, stays. */
export function decodedEntities(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMES[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= CODE_POINT_MAX && !(code >= 0xd8_00 && code < 0xe0_00)
    return isCharacter ? String.fromCodePoint(code) : entity
  })
}
