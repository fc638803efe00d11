/** Words in twelve languages and eight scripts, in four slots from which plausible sentences are made. */
import type { Random } from './random.ts'

type Vocabulary = {
  /** The slots of a sentence, which takes one phrase of each: opener, subject, verb phrase, object. */
  slots: readonly (readonly string[])[]
  /** The separator of words; Chinese and Japanese have none. */
  space: ' ' | ''
  stop: string
}

const spaced = (stop: string, ...slots: string[]): Vocabulary => ({
  slots: slots.map((slot) => slot.split(' | ')),
  space: ' ',
  stop,
})
const unspaced = (...slots: string[]): Vocabulary => ({
  slots: slots.map((slot) => slot.split(' | ')),
  space: '',
  stop: '。',
})

const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  en: spaced(
    '.',
    'today | as you can see | in the next part | by the way | after a while | to be honest',
    'the old bridge | our small team | this machine | a quiet river | my neighbour | the whole ' +
      'village',
    'moves slowly under | keeps asking about | never really needed | was built before | looks ' +
      'after | talks about',
    'the morning light | a box of letters | the last train | nothing in particular | the second ' +
      'engine | everything at once',
  ),
  es: spaced(
    '.',
    'hoy | como pueden ver | en la siguiente parte | por cierto | después de un rato | para ser ' +
      'sincero',
    'el puente viejo | nuestro pequeño equipo | esta máquina | un río tranquilo | mi vecina | ' +
      'todo el pueblo',
    'pasa despacio por | sigue preguntando por | nunca necesitó | se construyó antes de | cuida ' +
      'de | habla sobre',
    'la luz de la mañana | una caja de cartas | el último tren | nada en especial | el segundo ' +
      'motor | todo a la vez',
  ),
  de: spaced(
    '.',
    'heute | wie man sieht | im nächsten Teil | übrigens | nach einer Weile | ehrlich gesagt',
    'die alte Brücke | unsere kleine Gruppe | diese Maschine | ein stiller Fluss | mein Nachbar ' +
      '| das ganze Dorf',
    'zieht langsam unter | fragt immer nach | brauchte nie wirklich | entstand lange vor | ' +
      'kümmert sich um | spricht über',
    'dem Morgenlicht | einer Kiste Briefe | dem letzten Zug | nichts Bestimmtem | dem zweiten ' +
      'Motor | allem zugleich',
  ),
  fr: spaced(
    '.',
    'aujourd’hui | comme vous le voyez | dans la suite | au fait | après un moment | pour être ' +
      'honnête',
    'le vieux pont | notre petite équipe | cette machine | une rivière calme | ma voisine | tout ' +
      'le village',
    'passe lentement sous | demande encore | n’a jamais voulu | fut construit avant | prend soin ' +
      'de | parle de',
    'la lumière du matin | une boîte de lettres | le dernier train | rien de précis | le ' +
      'deuxième moteur | tout à la fois',
  ),
  pt: spaced(
    '.',
    'hoje | como podem ver | na próxima parte | aliás | depois de um tempo | para ser sincero',
    'a ponte velha | a nossa equipe | esta máquina | um rio calmo | a minha vizinha | a aldeia ' +
      'inteira',
    'passa devagar por | continua pedindo | nunca precisou de | foi feita antes de | cuida de | ' +
      'fala sobre',
    'a luz da manhã | uma caixa de cartas | o último trem | nada em especial | o segundo motor | ' +
      'tudo ao mesmo tempo',
  ),
  ru: spaced(
    '.',
    'сегодня | как вы видите | в следующей части | кстати | через некоторое время | честно говоря',
    'старый мост | наша маленькая команда | эта машина | тихая река | мой сосед | вся деревня',
    'медленно проходит под | всё спрашивает про | никогда не любила | появилась раньше чем | ' +
      'заботится про | рассказывает про',
    'утренний свет | коробку писем | последний поезд | ничего особенного | второй двигатель | ' +
      'всё сразу',
  ),
  ar: spaced(
    '.',
    'اليوم | كما ترون | في الجزء التالي | بالمناسبة | بعد قليل | بصراحة',
    'الجسر القديم | فريقنا الصغير | هذه الآلة | نهر هادئ | جاري | القرية كلها',
    'يمر ببطء تحت | يسأل دائما عن | لم يكن يحتاج | بني قبل | يعتني بـ | يتحدث عن',
    'ضوء الصباح | صندوق الرسائل | القطار الأخير | لا شيء محدد | المحرك الثاني | كل شيء معا',
  ),
  iw: spaced(
    '.',
    'היום | כפי שרואים | בחלק הבא | דרך אגב | אחרי זמן מה | למען האמת',
    'הגשר הישן | הצוות הקטן שלנו | המכונה הזאת | נהר שקט | השכן שלי | כל הכפר',
    'עובר לאט מתחת | שואל תמיד על | לא היה צריך | נבנה לפני | שומר על | מדבר על',
    'אור הבוקר | קופסה של מכתבים | הרכבת האחרונה | שום דבר מיוחד | המנוע השני | הכול בבת אחת',
  ),
  hi: spaced(
    '।',
    'आज | जैसा आप देखते हैं | अगले भाग में | वैसे | थोड़ी देर बाद | सच कहूँ तो',
    'पुराना पुल | हमारी छोटी टीम | यह मशीन | एक शांत नदी | मेरा पड़ोसी | पूरा गाँव',
    'धीरे से देखता है | हमेशा पूछता है | कभी नहीं भूला | पहले से जानता है | संभालता है | बताता है',
    'सुबह की रोशनी | चिट्ठियों का डिब्बा | आखिरी रेलगाड़ी | कुछ खास नहीं | दूसरा इंजन | सब एक साथ',
  ),
  ko: spaced(
    '.',
    '오늘은 | 보시다시피 | 다음 부분에서 | 그런데 | 잠시 후에 | 솔직히 말하면',
    '오래된 다리가 | 우리 작은 팀이 | 이 기계가 | 조용한 강이 | 내 이웃이 | 온 마을이',
    '아침 햇빛을 | 편지 상자를 | 마지막 기차를 | 두 번째 엔진을 | 모든 것을 | 작은 정원을',
    '천천히 지나갑니다 | 계속 찾고 있습니다 | 돌보고 있습니다 | 이야기합니다 | 기다립니다 | 기억합니다',
  ),
  ja: unspaced(
    '今日は | ご覧のとおり | 次の部分では | ところで | しばらくして | 正直に言うと',
    '古い橋が | 小さなチームが | この機械が | 静かな川が | 隣の人が | 村全体が',
    '朝の光を | 手紙の箱を | 最後の列車を | 二番目のエンジンを | すべてを | 小さな庭を',
    'ゆっくり見ています | 探し続けます | 大切にします | 話しています | 待っています | 覚えています',
  ),
  zh: unspaced(
    '今天 | 正如你們看到的 | 在下一部分 | 順便說 | 過了一會兒 | 老實說',
    '那座老橋 | 我們的小團隊 | 這台機器 | 安靜的河 | 我的鄰居 | 整個村莊',
    '慢慢經過 | 一直在問 | 從來不需要 | 總是照顧 | 正在談論 | 還記得',
    '早晨的光 | 一箱信件 | 最後一班火車 | 第二個引擎 | 所有的事 | 小花園',
  ),
}

/** The languages that have words here; a regional code (`en-GB`, `zh-Hant`) uses its base. */
export const SPOKEN = Object.keys(VOCABULARIES)

export type Sentence = { words: string[]; space: ' ' | ''; stop: string }

/** Returns one sentence as words without punctuation; unknown languages get English. */
export function sentenceOf(languageCode: string, random: Random): Sentence {
  const vocabulary = vocabularyOf(languageCode)
  const parts = vocabulary.slots.map((slot) => random.pick(slot))
  const words = vocabulary.space === '' ? parts : parts.flatMap((part) => part.split(' '))
  return { words, space: vocabulary.space, stop: vocabulary.stop }
}

/** Returns a phrase for a title: subject, verb and object, with a capital. */
export function headlineOf(languageCode: string, random: Random): string {
  const vocabulary = vocabularyOf(languageCode)
  const parts = vocabulary.slots.slice(1).map((slot) => random.pick(slot))
  return capitalised(parts.join(vocabulary.space))
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function vocabularyOf(languageCode: string): Vocabulary {
  const base = languageCode.split('-')[0] ?? 'en'
  return VOCABULARIES[base] ?? (VOCABULARIES.en as Vocabulary)
}
