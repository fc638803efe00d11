/** Texts that upset readers, and their spelling in an address. */
import fc from 'fast-check'

const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '50',
  '51',
  '200',
  '201',
  '1.5',
  '1e3',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '\u0000',
  '%00',
  '%zz',
  '%',
  '%25',
  '..',
  '../..',
  '..%2f..',
  '/',
  '//',
  '\\',
  ';',
  "'",
  '"',
  "' or 1=1--",
  '$1',
  '%s',
  '${7*7}',
  '<script>',
  '\u202e',
  'ä',
  '漢字',
  '💥',
  '\ud800',
  '𝔘𝔫𝔦',
  'x'.repeat(41),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(5000),
  '9007199254740991',
  '9007199254740992',
  '99999999999999999999',
  '2147483648',
  '__proto__',
  'constructor',
  'toString',
  'zip',
  'all.txt',
  'report.csv',
  '1.txt',
  '1.json',
  '0.txt',
  '01.srt',
  '1.vtt',
  'success',
  'rows',
  'full',
]
export const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

/** Escapes only what HTTP cannot carry in a target; malformed text stays malformed. */
export function escaped(text: string): string {
  return Array.from(text, (letter) =>
    /[!$-;=?-~]/.test(letter) && letter !== '?' && letter !== '#' ? letter : bytesOf(letter),
  ).join('')
}

function bytesOf(letter: string): string {
  return letter === '%'
    ? '%'
    : Array.from(Buffer.from(letter), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
