/**
 * The words of speech that nearly every transcript has, by language, the commonest first: what is left of a
 * contraction among them (`don't` is `don` and `t`). They need not be complete, since a phrase of other words is found
 * by its words; but the version of the index (`features/search/index-file.ts`) has to be raised with every change.
 * Scripts without blanks between words have none: their tokens are pairs already.
 */
import { foldWord, type TokenPhrase } from './tokens.ts'

export const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: `the and to a of you i that in it is s this so we t on for have be are what with like not can just but your
    re do if at they know one my or as was all don get here up there now going about out right because how go me
    no see he want really when think from some then time got make will would them more well good m okay an very
    people way her his had by ll ve has which who their yeah um uh into than`,
  de: `und die das ich der ist nicht es wir du ein in so auch den zu auf man mit sie eine von dass dann ja aber hier
    was ihr sich jetzt noch für habe mal im oder wenn wie da einen kann hat dem sind haben an schon nur ganz mir als
    wird aus halt mich`,
  fr: `de la et le les est à que on c a pas je l un il en des ça qui d vous une qu pour y dans j ce du n bien plus ai
    fait au s avec donc là mais si tout sur ou nous se tu faire va être comme parce très alors`,
  es: `de que la y a en el no es un lo los por una se con para las como me si más pero este esto eso muy está te del le
    al mi porque también hay yo tu todo va vamos ya o ser pues aquí cuando bueno tiene son nos`,
  pt: `que de e a o é não eu um uma para do da em se com você por isso mais mas os as no na tem aqui gente então como
    está esse vai ele muito ser pra já assim também ou só me foi porque quando ela essa meu ao lá`,
  it: `che e di la è il a non un in per una si ma con questo come i le da sono anche più mi l lo della c ci o ho del
    se perché quindi ha cosa al nel quello gli poi tutto io essere molto questa qui dei ne`,
  nl: `de en het een ik dat is je van in niet die we dus op te zijn maar ook er met dan voor wat als hier heb naar aan
    nog zo was wel nou om heel bij of kan ze even hij ja gaan daar hebben deze`,
  ru: `и в не на что это я у мы с вот так то как а но по вы он есть все если да там нас очень еще когда для меня за
    же ну здесь из от можно только вас был будет мне бы она они уже его просто чтобы`,
  uk: `і в не на що це я у ми з та так то як а але по ви він є все якщо там нас дуже ще коли для мене за от до тут
    про його вже можна був буде мені від щоб`,
  pl: `nie i to w się na że jest z do jak a tak co po ale jest już za od tu ja czy mnie tego ma o bo tym może sobie
    dla by też tylko jeszcze więc jako są był mamy będzie które`,
  cs: `a to je se v na že si tak jsem ale do jako s i z co ne by pro o jsme už když jak ten tam tady bude za po má
    mi nebo které jsou byl`,
  ro: `și de a în să nu o la că e cu pe care ce un am mai este din pentru se din dar sunt ca așa foarte fi au mă era
    sau acum aici dacă`,
  sv: `det är och att i på en som jag så för vi har med inte den till du av om ett men kan man här då de var vad nu
    ska också eller när lite bara där`,
  da: `det er og at i på en som jeg så for vi har med ikke den til du af om et men kan man her der de var hvad nu skal
    også eller når lidt bare`,
  no: `det er og at i på en som jeg så for vi har med ikke den til du av om et men kan man her der de var hva nå skal
    også eller når litt bare`,
  fi: `on ja se että ei niin mä tämä kun ne nyt mutta tää oli sitten siinä olla kanssa jos vaan siis mitä joka olen`,
  hu: `a az és hogy nem is egy ez meg de ha van mert már csak még volt el ezt azt kell itt most vagy én lehet`,
  tr: `bir bu ve da de ne için çok var ben o daha böyle gibi şimdi ama kadar sonra yani burada olarak şey mi mı değil
    her en biz ile ki olan evet diye`,
  id: `yang di dan ini itu ada kita untuk dengan saya kalau dari tidak juga akan bisa jadi ke sudah kan ya lagi apa
    karena seperti aku nya sama kami satu mereka pada dia lebih atau orang teman`,
  vi: `là có và của một cho các không thì này người được chúng với ta những mà đã cái nó trong mình như rất ở ra đi
    để khi tôi con bạn làm lại nhiều vào đó anh cũng sẽ rồi đến thể nhà về`,
  el: `και το να η του ο είναι που σε για με την από της δεν τα τη θα μας αυτό ένα στο οι των αν τον πολύ μια στην έχει
    σας τι μου`,
  ar: `في من على ما هذا أن لا هو أنا إلى مع هذه كان يعني اللي كل هي إذا عن ده يا أو لكن لما بعد حتى كنت الله لو هنا`,
  fa: `و به که این از در را من یک با رو برای است هم ما تو ها اون یه بود آن کنم باید خیلی می تا`,
  he: `את זה לא של אני על הוא יש גם אז כל מה עם אנחנו אבל היא אם כי היה או עוד אתה רק הם כמו`,
  hi: `है के में की से को का और हैं कि पर आप तो भी यह हम कर एक इस जो वो नहीं मैं ये हो ही था लिए क्या आपको करने मुझे अगर
    अब कुछ जी बहुत यहां`,
  bn: `আমি এই না যে একটা কিন্তু আর আপনি করে থেকে কি তো এবং হয় আমরা জন্য কথা`,
  ta: `இந்த ஒரு நான் என்ன அந்த இது நம்ம அது வந்து தான்`,
  te: `ఈ ఒక నేను ఆ అది కానీ ఇది మనం కూడా`,
}

// Pairs of words that nearly every transcript has. A phrase of such words is slow to find by their places, since
// all the places in all the transcripts are compared; so the index has neighbours among them as tokens of their
// own, behind the words of a text. A phrase of common words alone is looked for as its pairs, which finds the same.

/** No token of a text has it, and none begins with it: a pair is not found by the beginning of a word. */
const JOINER = '·'

const common = new Set(
  Object.values(COMMON_WORDS).flatMap((words) => words.split(/\s+/u).map(foldWord)),
)

/**
 * The pairs of a text's tokens, in order. Those of one run of common words follow one another; where the next
 * run would seem to go on with it, something else is between them.
 */
export function commonPairs(tokens: readonly string[]): string[] {
  const pairs: string[] = []
  let end: string | null = null
  for (let at = 1; at < tokens.length; at += 1) {
    const [before = '', word = ''] = [tokens[at - 1], tokens[at]]
    if (!common.has(before) || !common.has(word)) continue
    const isNewRun = at < 2 || !common.has(tokens[at - 2] ?? '')
    if (isNewRun && end === before) pairs.push(JOINER)
    pairs.push(`${JOINER}${before}${JOINER}${word}`)
    end = word
  }
  return pairs
}

/** The tokens to look for, one after the other: pairs where all of the phrase's words are common. */
export function tokensToFind({ tokens, isPrefix }: TokenPhrase): readonly string[] {
  const isOfPairs = tokens.length > 1 && !isPrefix && tokens.every((token) => common.has(token))
  return isOfPairs ? commonPairs(tokens) : tokens
}
