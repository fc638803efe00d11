/** Texts of patterns that are lists of choices, as schemas have them for names of files. */
import assert from 'node:assert/strict'

/** Returns all texts that a pattern of choices matches; a number in it is 1. Throws where it is no such pattern. */
export function textsOf(pattern: string): string[] {
  const texts = choicesOf(pattern)
  for (const text of texts) assert.match(text, new RegExp(pattern))
  return texts
}

function choicesOf(pattern: string): string[] {
  const plain = pattern
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\.', '.')
    .replaceAll(/\\d(?:\+|\{\d+(?:,\d*)?\})/g, '1')
  const group = /\(([^()]*)\)(\??)/.exec(plain)
  if (group === null) return [plain]
  const [whole, choices = '', optional] = group
  const texts = [...choices.split('|'), ...(optional === '?' ? [''] : [])].flatMap((choice) => {
    return choicesOf(plain.slice(0, group.index) + choice + plain.slice(group.index + whole.length))
  })
  return [...new Set(texts)]
}
