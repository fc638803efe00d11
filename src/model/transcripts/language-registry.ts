/** The registry of language subtags (IANA) of 2025-08-25, by `npm run print`. */

/** Codes, and ranges of codes, that name no language: no speech, undetermined, several, uncoded, private. */
export const NO_LANGUAGES = 'mis mul qaa..qtz und zxx'

/** Macro languages, and behind each the languages that it encompasses. */
export const MACRO_LANGUAGES = `
ak: fat tw
ar: aao abh abv acm acq acw acx acy adf aeb aec afb apc apd arb arq ars ary arz auz avl ayh ayl ayn ayp pga shu ssh
ay: ayc ayr
az: azb azj
bal: bcc bgn bgp
bik: bcl bln bto cts fbl lbl rbl ubl
bnc: ebk lbk obk rbk vbk
bua: bxm bxr bxu
chm: mhr mrj
cr: crj crk crl crm csw cwd
del: umu unm
den: scs xsl
din: dib dik dip diw dks
doi: dgo xnr
et: ekk vro
fa: pes prs
ff: ffm fub fuc fue fuf fuh fui fuq fuv
gba: bdt gbp gbq gmm gso gya
gn: gnw gug gui gun nhd
gon: esg gno wsg
grb: gbo gec grj grv gry
hai: hax hdn
hmn: cqd hea hma hmc hmd hme hmg hmh hmi hmj hml hmm hmp hmq hms hmw hmy hmz hnj hrm huj mmr muq mww sfm
ik: esi esk
iu: ike ikt
jrb: aju jye yhd yud
kg: kng kwy ldi
kln: enb eyo niq oki pko sgc spy tec tuy
kok: gom knn
kpe: gkp xpe
kr: kby knc krt
ku: ckb kmr sdh
kv: koi kpv
lah: hnd hno jat phr pnb skr xhe
luy: bxk ida lkb lko lks lri lrm lsm lto lts lwg nle nyd rag
lv: ltg lvs
man: emk mku mlq mnk msc mwk
mg: bhr bmm bzc msh plt skg tdx tkg txy xmv xmw
mn: khk mvf
ms: bjn btj bve bvu coa dup hji jak jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi mui orn ors pel pse tmw
ms: urk vkk vkt xmm zlm zmi zsm
mwr: dhd mtr mve rwr swv wry
ne: dty npi
no: nb nn
oj: ciw ojb ojc ojg ojs ojw otw
om: gax gaz hae orc
or: ory spv
ps: pbt pbu pst
qu: qub qud quf qug quh quk qul qup qur qus quw qux quy quz qva qvc qve qvh qvi qvj qvl qvm qvn qvo qvp qvs qvw qvz
qu: qwa qwc qwh qws qxa qxc qxh qxl qxn qxo qxp qxr qxt qxu qxw
raj: bgq gda gju hoj mup wbr
rom: rmc rmf rml rmn rmo rmw rmy
sa: cls vsn
sc: sdc sdn src sro
sh: bs cnr hr sr
sq: aae aat aln als
sw: swc swh
syr: aii cld
tmh: taq thv thz ttq
uz: uzn uzs
yi: ydd yih
za: zch zeh zgb zgm zgn zhd zhn zlj zln zlq zqe zyb zyg zyj zyn zzj
zap: zaa zab zac zad zae zaf zai zam zao zaq zar zas zat zav zaw zax zca zcd zoo zpa zpb zpc zpd zpe zpf zpg zph zpi
zap: zpj zpk zpl zpm zpn zpo zpp zpq zpr zps zpt zpu zpv zpw zpx zpy zpz zsr zte ztg ztl ztm ztn ztp ztq zts ztt ztu
zap: ztx zty
zh: cdo cjy cmn cnp cpx csp czh czo gan hak hnm hsn luh lzh mnp nan sjc wuu yue
zza: diq kiu
`
