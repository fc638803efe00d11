/** Meanings of something that was typed: a name, or words of a search. Pure. */
import { hasVisible } from '../../src/kit/text/invisible.ts'

const WORD_BEGUN = /(?:^|\s)[\p{L}\p{N}]{3,40}$/u

/** Returns the query with the word that is still being typed as a beginning; '' where nothing is seen. */
export function asTyped(typed: string): string {
  if (!hasVisible(typed)) return ''
  const isOpenPhrase = typed.split('"').length % 2 === 0
  return !isOpenPhrase && WORD_BEGUN.test(typed) ? `${typed}*` : typed.trim()
}

/** Returns those whose names have every word that was typed, in any case and without its accents. */
export function calledAs<One>(typed: string, ones: readonly One[], nameOf: (one: One) => string) {
  const words = plain(typed).split(/\s+/u)
  return ones.filter((one) => {
    const name = plain(nameOf(one))
    return words.every((word) => name.includes(word))
  })
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim()
}
