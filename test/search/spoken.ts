/** Speech in twelve languages and more, for the test that search misses none of it: the emulator's and our own. */
import { SPOKEN, sentenceOf } from '../../emulator/sentences.ts'
import { hashText, randomOf } from '../../emulator/random.ts'

/** Words that the emulator does not speak: compounds, prefixes, points, accents, scripts without blanks. */
const OWN: Record<string, readonly string[]> = {
  de: [
    'Die Trinkwasserversorgung der Großstadt wurde erneuert',
    'Das Grundwasser und die Wasserleitungen gehören der Straßenbahngesellschaft',
    'Donaudampfschifffahrtskapitäne kennen jede Flussbiegung',
  ],
  nl: ['De waterschappen bouwen een nieuwe spoorwegbrug', 'Het grondwater stijgt door regenwater'],
  he: ['הילדים הלכו לבית הספר ובבית היה שקט', 'כשהמורה הגיעה מהבית והספרים נפתחו', 'שָׁלוֹם לכולם'],
  ar: [
    'ذهب الأولاد إلى المدرسة وبالمدرسة حديقة',
    'والكتاب على الطاولة كالكتب القديمة',
    'مُحَمَّد يقرأ للأطفال',
  ],
  th: ['วันนี้เราจะไปเที่ยวสวนสัตว์กับเพื่อน', 'ช้างตัวใหญ่กินกล้วยทุกวัน', 'ขอบคุณที่รับชมครับ'],
  ko: ['학교에서 친구들과 함께 점심을 먹었습니다', '도서관에는 새로운 책이 많습니다'],
  ja: ['東京都の図書館で本を読みました', 'スーパーマーケットに行ってカレーを食べる'],
  zh: ['我们今天去北京大学图书馆看书', '早上的火车站人很多'],
  vi: ['Hôm nay chúng tôi đi chợ mua trái cây', 'Người Việt uống cà phê sữa đá'],
  tr: ['İstanbul’da ışıklar yandı', 'Öğrenciler kütüphanede çalışıyor'],
  fr: ['L’été dernier, l’élève a mangé des œufs', 'C’est déjà l’heure où ça commence'],
  pl: ['Łódź i żółte światło nad rzeką', 'Chłopiec czytał książkę'],
}

export const SPEECH_LANGUAGES = [...new Set([...SPOKEN, ...Object.keys(OWN)])].sort()

/** Returns the texts of some transcripts of a language, each a few lines long. */
export function speechIn(languageCode: string, count: number): string[][] {
  const own = OWN[languageCode] ?? []
  return Array.from({ length: count }, (_, at) => {
    const random = randomOf(hashText(`${languageCode} ${at}`))
    const lines = Array.from({ length: 4 }, () => {
      const { words, space, stop } = sentenceOf(languageCode, random)
      return `${words.join(space)}${stop}`
    })
    const line = own[at % Math.max(1, own.length)]
    return SPOKEN.includes(languageCode) && (line === undefined || at % 2 === 0)
      ? lines
      : [line ?? '', ...(SPOKEN.includes(languageCode) ? lines.slice(0, 2) : [])]
  })
}
