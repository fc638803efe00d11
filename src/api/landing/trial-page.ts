/** The box in which a visitor pastes one video, and the page with what came of it. */
import { counted } from '../../kit/text/counted.ts'
import { clock } from '../../kit/text/clock.ts'
import { titleSize } from '../../kit/text/cells.ts'
import { affordable, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import type { Config } from '../../config/config.ts'
import { VIDEO_URL } from '../../model/jobs/video-row.ts'
import type { TrialFinding } from '../../model/previews/trial.ts'
import { html, type Markup } from './page.ts'

export function isTrialOffered(config: Config): boolean {
  return config.TRIALS_PER_HOUR > 0
}

type TrialBox = {
  /** The text that was typed before, and is to be mended. */
  typed?: string
  /** Another way on, beside the button. */
  beside?: Markup
  /** Whether the page leads elsewhere first. */
  isQuiet?: boolean
}

export function trialBox(
  label: string,
  { typed, beside = html``, isQuiet = false }: TrialBox = {},
): Markup {
  const refused =
    typed === undefined
      ? html``
      : html` value="${typed}" aria-invalid="true" aria-describedby="why"`
  return html`<form class="trial" method="post" action="/trial">
    <label for="video">${label}</label>
    <input
      id="video"
      name="video"
      type="text"
      inputmode="url"
      autocomplete="off"
      spellcheck="false"
      maxlength="${TYPED_CHARS_MAX}"
      required
      placeholder="https://www.youtube.com/watch?v=…"
      ${refused}
    />
    <div class="line">
      <button type="submit" class="button${isQuiet ? ' quiet' : ''}">Read its first minutes</button
      >${beside}
    </div>
  </form>`
}

const TYPED_CHARS_MAX = 500

/** Outcome of a trial in words: its text, or why there is none. */
export type TrialNews = { title: string; sentence: string }

type TrialPageFacts = { isSignUpOpen: boolean; welcomeMicros: bigint }

export function renderTrialNews({ title, sentence }: TrialNews): Markup {
  return page(title, html`<p class="lead">${sentence}</p>`)
}

/** Returns the page for what is no video: what was typed stays in the box, with the reason above it. */
export function renderNoVideo({ typed, sentence }: { typed: string; sentence: string }): Markup {
  return html`<section>
    <h1 class="short">Not a video</h1>
    <p class="lead" id="why">${sentence}</p>
    ${trialBox('What you pasted', { typed: typed.slice(0, TYPED_CHARS_MAX) })}
  </section>`
}

/** Returns the page that is shown while a worker reads the video. */
export function renderTrialWait(videoId: string): Markup {
  return html`<section>
    <h1 class="short">Reading…</h1>
    <p class="lead" role="status">
      The captions of ${videoId} are being fetched. This page looks again by itself.
    </p>
    <p class="muted">It gives way to jobs that are paid for, so it may take some moments.</p>
  </section>`
}

export function renderTrial(
  { videoId, finding }: { videoId: string; finding: TrialFinding },
  facts: TrialPageFacts,
): Markup {
  switch (finding.kind) {
    case 'read':
      return page(
        finding.title ?? videoId,
        html`${words(videoId, finding)}${facts.isSignUpOpen ? keeping(facts) : ''}${allOfIt(finding)}`,
        facts.isSignUpOpen,
      )
    case 'refused':
      return page(
        finding.title ?? videoId,
        html`<p class="lead"><strong>${finding.label}.</strong> ${finding.sentence}</p>
          <p>
            A customer would have paid nothing for it either: its row in a job says the same, and
            only delivered transcripts are charged.
          </p>`,
      )
    case 'obstructed':
      return page(
        'Not read this time',
        html`<p class="lead">${finding.sentence}</p>
          <p>
            This says nothing about the video ${videoId}. A customer would have paid nothing, and
            the same order again would try it first.
          </p>`,
      )
    default:
      return finding satisfies never
  }
}

/** `isQuiet`: the body leads on, and another video is the second thing to do. */
function page(title: string, body: Markup, isQuiet = false): Markup {
  return html`<section>
      <h1 class="${titleSize(title)}" dir="auto">${title}</h1>
      ${body}
    </section>
    <section>${trialBox('Another video', { isQuiet })}</section>`
}

type Read = TrialFinding & { kind: 'read' }

function words(
  videoId: string,
  { channelName, languageCode, trackKind, paragraphs }: Read,
): Markup {
  const channel = channelName === null ? html`` : html`<bdi>${channelName}</bdi> · `
  const kind = trackKind === 'manual' ? 'the creator’s captions' : 'automatic captions'
  const video = `${VIDEO_URL}${videoId}`
  return html`<p class="muted">
      ${channel}${languageCode}, ${kind} · <a href="${video}" rel="noreferrer">Watch the video</a>
    </p>
    <div class="words" lang="${languageCode}">
      ${paragraphs.map(
        ({ startMs, text }) =>
          html`<p dir="auto">
            <a class="time" rel="noreferrer" href="${video}&amp;t=${Math.floor(startMs / 1000)}s"
              >${clock(startMs)}</a
            >
            ${text}
          </p>`,
      )}
    </div>`
}

function allOfIt({ words: all, shownWords, endMs }: Read): Markup {
  const price = dollars(PRICE_MICROS)
  const part =
    shownWords < all
      ? `These are ${shownWords.toLocaleString('en')} of its ${all.toLocaleString('en')} words, up to ${clock(endMs)}. A job delivers all of them`
      : `These are all of its ${all.toLocaleString('en')} words. A job delivers them`
  return html`<p class="muted">
    ${part} as text, SRT, VTT and JSON for ${price}, and a whole channel as one ZIP. This page cost
    nothing; it is kept for a day.
  </p>`
}

/** Returns the way to an account, right below the words; on a phone it stays in view while they are read. */
function keeping({ welcomeMicros }: TrialPageFacts): Markup {
  const free = affordable(welcomeMicros) === 0 ? '' : ' free'
  return html`<p class="keep">
    ${signUpLink('button', welcomeMicros, `Save it${free}: create an account`)}
  </p>`
}

/** Returns the link to sign up, with the transcripts that the welcome credit pays for. */
export function signUpLink(
  style: string,
  welcomeMicros: bigint,
  words = 'Create an account',
): Markup {
  const free = affordable(welcomeMicros)
  const gift =
    free === 0 ? html`` : html` <span class="muted">with ${counted(free, 'free transcript')}</span>`
  return html`<span><a class="${style}" href="/sign-up">${words}</a>${gift}</span>`
}
