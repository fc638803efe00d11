/** The commonest words of speech by language, most frequent first, and the parts of rarer ones. */

export type Lexicon = {
  /** The commonest words, most frequent first. */
  common: readonly string[]
  /** The stems of rarer words, which are a stem and an ending, or two stems where there are no endings. */
  stems: readonly string[]
  endings: readonly string[]
  /** The separator of words; Chinese and Japanese have none. */
  space: ' ' | ''
  stop: string
}

const words = (text: string): string[] => text.split(/\s+/)

const ENGLISH: Lexicon = {
  common: words(
    `the to and you a of that it i in is this so we for have on but are be like just with they
    what was do can not know if at or all going it's one there get about up out right as because
    here now really then how think when your very will would more see don't people make want some
    go actually them which that's little time these well even way he thing also look mean my good
    from by something us need back kind things other an no our could let's over got into two gonna
    their say much where lot than who first use those through bit only has you're i'm day any she
    work take his come maybe down her off still too many every put before been different okay
    yeah better again new why always same last pretty after great were had said being around
    probably next doing big part tell never find give keep show long talk end world year might
    both place start another most point call used few three should did does made maybe without
    question best try guess start hard whole left life help water side feel side nothing four
    today already sort house money real under far turn anything enough each problem old high
    second hand school idea run ever while run move open word kid sure makes start stuff years
    change story family away night room watch live play small number fact power car person fine`,
  ),
  stems: words(
    `act add air answer area arm art ask back balance bank base beat board body book border bottle
    bottom box branch break bridge bright bring brother build burn butter button camera camp card
    care carry case cast catch cause cell center chain chance chang charg check choos circl class
    clean clear climb clock close cloth cloud coast coat code coffee cold collect color column
    company contact contain control cook copper corner cost count cours cover creat cross crowd
    current curve cycl damag danc data deal deep degree deliver depend design detail develop
    direct discover doctor dream drive drop dust edge effect effort electr energ engine enjoy
    enter event exampl expect explain eye face factor fall farm fashion father fear field fight
    figur fill film final finger finish fire fish fit flat flight floor flow fold follow food foot
    force forest form forward frame fresh front fruit garden gather general glass ground group
    grow guard guest guid hair hammer handl happen head hear heart heat heavy hill histor hold
    hope horse hospital hour human hundred hunt imagin improv includ increas industr inform
    inside island join judg jump kitchen land languag large laugh layer lead learn leave letter
    level library light limit line list listen load local lock machin main manag map mark market
    master match material matter measur meet member memor mention metal method middle mind
    minut mirror model moment month morning mountain mouth music nation natur neighbor network
    normal notic object observ ocean offer office order organ paint pair paper parent pass path
    pattern pay perform period phone pick pictur piece plan plant plastic point polic popul
    position possibl practic prepar present press pressur price print process produc program
    project protect provid public pull push quality quick quiet rais range reach react read reason
    record region relat releas remain remember repeat report requir research respond rest result
    return rhythm river road rock roll round rule safe sail sand save scal scen scienc screen sea
    search season section sell sens sentenc separat serv settl shade shape share sharp shell
    shift ship shoot shop shoulder signal silver simpl sing sister skill skin sleep smooth snow
    soft soil sound sourc space speak speed spend spread spring squar stage stand station stay
    steam steel step stick stone store storm straight stream street stretch strong structur
    studio studi subject sugar suggest summer supply support surfac surpris system table target
    tast teach team temper test theor thick thread throw ticket timber tool total touch tower
    town track trade train travel treat tree trip trouble truck trust type understand unit valley
    valu village visit voic wait walk wall warm wash wave weather weight wheel wind window winter
    wonder wood yellow`,
  ),
  endings: [
    ...words('s ed ing er ers ion ions al able ment ly ness ful ist ive ity or y age en'),
    '',
  ],
  space: ' ',
  stop: '.',
}

const ARABIC: Lexicon = {
  common: words(
    `في من و على أن هذا إلى ما لا يعني هو كان التي عن مع هذه كل لكن الذي هي أو ذلك إذا لم قال بعد بين
    حتى عند أنا نحن يمكن كيف شيء يوم جدا أكثر فقط أيضا الآن هناك قبل ثم لأن غير كانت أي نفس مثل حول دون
    خلال كما أنت الناس الوقت واحد عندما العمل تقريبا طبعا فيه منها عليه`,
  ),
  stems: words(
    `كتاب مدرس بيت طريق عمل وقت سؤال جواب مدين قري حيا ماء شمس قمر نهر جبل بحر سفين صديق معلم طالب
    لغ كلم صوت صور فكر علم تاريخ مكان زمان قصيد حديق شجر زهر طعام خبز ملح سوق تجار مال باب نافذ غرف
    مكتب جريد خبر رسال قطار سيار طائر رحل مساف حرب سلام قانون حكوم شعب وطن قلب عقل يد عين رأس وجه`,
  ),
  endings: words('ة ات ون ين ي ها هم نا ك ه ان ية تها وا'),
  space: ' ',
  stop: '.',
}

const HEBREW: Lexicon = {
  common: words(
    `את של זה לא על אני הוא עם כל גם מה אבל יש היא אם כי או אז רק אנחנו הם היה זאת כמו יותר אין שלי
    עוד איך כבר שם לי אותו פה אחד בין כאן מאוד צריך עכשיו יכול לנו להיות למה תמיד אחרי לפני דבר היום
    אתה משהו בעצם ככה טוב אנשים פעם הרבה קצת נכון`,
  ),
  stems: words(
    `ספר בית דרך עבוד זמן שאל תשוב עיר כפר חיים מים שמש ירח נהר הר ים אוני חבר מור תלמיד שפ מיל קול
    תמונ מחשב ידע היסטורי מקום שיר גנ עץ פרח אוכל לחם מלח שוק מסחר כסף דלת חלון חדר משרד עיתון חדש
    מכתב רכב מטוס טיול מרחק מלחמ שלום חוק ממשל עם ארץ לב ראש יד עין פנים`,
  ),
  endings: words('ים ות ה ת י נו ך ו הם ית ן'),
  space: ' ',
  stop: '.',
}

const JAPANESE: Lexicon = {
  common: words(
    `の は が を に で と も です ます という こと それ これ から ので けど ね よ ここ そう ない ある いる
    する した して なる まあ ちょっと やっぱり 今 人 私 見る 思います じゃあ 本当に とても 感じ もう
    また だから みたいな ところ 時 何 自分 まで より たぶん 一番 最初 次 今日 あと 全部 さん ください`,
  ),
  stems: [
    ...'日本国人年大学生時間会社水火木金土山川海空花鳥魚車道町村家門店駅電話機械新聞雑誌写真音楽映画料理野菜果物朝昼夜春夏秋冬東西南北上下左右前後内外心体手足目耳口頭力気色形数字文章言葉問題答案方法理由結果世界歴史科学技術経済政治社会文化教育研究開発',
  ],
  endings: [],
  space: '',
  stop: '。',
}

const CHINESE: Lexicon = {
  common: words(
    `的 是 我 了 你 在 就 這個 我們 不 有 那 他 也 說 都 很 會 一個 要 可以 然後 什麼 到 它 因為 所以
    沒有 來 去 大家 其實 如果 但是 對 看 好 想 知道 時候 現在 非常 自己 還是 這樣 怎麼 比較 覺得 一些
    東西 問題 可能 已經 今天 就是 那麼 人 他們 最 從 把 讓 跟 用 多`,
  ),
  stems: [
    ...'天地人日月年時分水火木金土山川海空花鳥魚車路城市國家門店站電話機械新聞書報音樂影視飯菜果早午夜春夏秋冬東西南北上下左右前後內外心身手足目耳口頭力氣色形數字文章語言答案方法理由結果世界歷史科學技術經濟政治社會教育研究開發產業設計材料能源交通醫療健康運動',
  ],
  endings: [],
  space: '',
  stop: '。',
}

const LEXICONS: Readonly<Record<string, Lexicon>> = {
  en: ENGLISH,
  ar: ARABIC,
  iw: HEBREW,
  ja: JAPANESE,
  zh: CHINESE,
}

/** Returns the lexicon of a language or of its base (`zh-Hant`); unknown languages get English. */
export function lexiconOf(languageCode: string): Lexicon {
  return LEXICONS[languageCode.split('-')[0] ?? ''] ?? ENGLISH
}
