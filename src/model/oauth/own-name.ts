/** Whether an app's name could be taken for ours: it is read as people see it, not as it is encoded. */
import { decomposed } from '../../kit/text/outside-text.ts'

/** The name as `seenAs` writes it. */
const OURS = 'scriptorium'

/**
 * Letters that look like those of our name, in the form that `seenAs` has made of them (confusables of UTS #39,
 * Unicode 15.1, of scripts that run from left to right).
 */
const LOOKALIKES: Record<string, string> = {
  s: '5$ƽʂѕտᵴꓢꜱꮥꮪ',
  c: 'ȼςсҫᴄⲥꓚꮯ',
  r: 'ɍɼɽʀгғᖇᴦᵲⲅꓣꭇꭈꭱꮁꮢ',
  i: '1l|!ıłƚǀɨɩɪɫɭιіӏᒪᛁᵻᵼⲓⳑⵏꓡꓲꙇꭵꮮ',
  p: 'ᴘƥρрᑭᵽⲣꓑꮲ',
  t: '7+ᴛŧƭʈτтҭᵵⱦⲧꓔꭲ',
  o: '0øɵθοσоѳөօଠഠတဝჿዐᴏᴑⲟⴱⵁⵔꓳꝋꬽꬾꭴꮎꮻ',
  u: 'ʉʋυսሀᑌᴜᵾꓴꞟꭎꭒꮜ',
  m: 'ᴍɱμϻмӎᗰᛖᵯⲙꓟꮇ',
}
const LETTERS = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, alike]) =>
    Array.from(alike, (one): [string, string] => [one, letter]),
  ),
)

/**
 * Names of programs that put the server's name behind their own, as Claude Code does (`Claude Code (scriptorium)`,
 * November 2026): what stands in front is the app's name.
 */
const WITH_SERVER = /^(.*\S) \([\w.:-]+\)$/

/** Whether a name has ours in it, however it is spelt. */
export function takesOurName(name: string): boolean {
  const [, own = name] = WITH_SERVER.exec(name) ?? []
  return seenAs(own).includes(OURS)
}

/** Returns the letters from a to z that a reader sees, without case, blanks, marks and signs. */
function seenAs(name: string): string {
  const plain = decomposed(decomposed(name).toLowerCase())
  return Array.from(plain, (one) => LETTERS.get(one) ?? one)
    .join('')
    .replaceAll(/[^a-z]/g, '')
    .replaceAll('rn', 'm')
}
