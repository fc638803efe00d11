/** Names of languages as the platform shows them, and its lists of machine translations. */
import type { JsonObject } from '../call.ts'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Codes of the platform that are older than the standard's. */
const OLD_CODES: Readonly<Record<string, string>> = { iw: 'he' }

export function languageName(code: string): string {
  return names.of(OLD_CODES[code] ?? code) ?? code
}

const MOBILE = 'ar zh-Hant nl fr de hi id it ja ko pt ru es th uk vi'.split(' ')
const ALL = (
  'ab aa af ak sq am ar hy as ay az bn ba eu be bho bs br bg my ca ceb zh-Hans zh-Hant co hr cs ' +
  'da dv nl dz en eo et ' +
  'ee fo fj fil fi fr gaa gl lg ka de el gn gu ht ha haw iw hi hmn hu is ig id iu ga it ja jv kl ' +
  'kn kk kha km rw ko ' +
  'kri ku ky lo la lv ln lt lua luo lb mk mg ms ml mt gv mi mr mn mfe ne new nso no ny oc or om ' +
  'os pam ps fa pl pt ' +
  'pt-PT pa qu ro rn ru sm sg sa gd sr crs sn sd si sk sl so st es su sw ss sv tg ta tt te th bo ' +
  'ti to ts tn tum tr ' +
  'tk uk ur ug uz ve vi war cy fy wo xh yi yo zu'
).split(' ')

const asRuns = (code: string): JsonObject => ({
  languageCode: code,
  languageName: { runs: [{ text: languageName(code) }] },
})
const asText = (code: string): JsonObject => ({
  languageCode: code,
  languageName: { simpleText: languageName(code) },
})

export const TRANSLATIONS = {
  mobile: MOBILE.map(asRuns),
  all: ALL.map(asRuns),
  web: ALL.map(asText),
}
