/** Texts of patterns that are lists of choices, as schemas have them for names of files. */

/** Returns all texts that a pattern of choices matches; a number in it is 1. */
export function textsOf(pattern: string): string[] {
  const plain = pattern
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\.', '.')
    .replaceAll('\\d+', '1')
  const group = /\(([^()]*)\)/.exec(plain)
  if (group === null) return [plain]
  const [whole, choices = ''] = group
  const texts = choices.split('|').flatMap((choice) => {
    return textsOf(plain.slice(0, group.index) + choice + plain.slice(group.index + whole.length))
  })
  return [...new Set(texts)]
}
