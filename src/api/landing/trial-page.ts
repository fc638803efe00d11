/** The box in which a visitor pastes one video, and the page with what came of it. */
import { affordable, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import type { Config } from '../../kit/config/config.ts'
import type { TrialFinding } from '../../model/previews/trial.ts'
import { html, type Markup } from './page.ts'

export function isTrialOffered(config: Config): boolean {
  return config.TRIALS_PER_HOUR > 0
}

export function trialBox(label: string): Markup {
  return html`<form class="trial" method="post" action="/trial">
    <label for="video">${label}</label>
    <div class="line">
      <input
        id="video"
        name="video"
        type="text"
        inputmode="url"
        autocomplete="off"
        spellcheck="false"
        maxlength="500"
        required
        placeholder="https://www.youtube.com/watch?v=…"
      />
      <button type="submit">Read its first minutes</button>
    </div>
  </form>`
}

/** What a visitor reads of a trial, or why there is none. */
export type TrialNews = { title: string; sentence: string }

type TrialPageFacts = { isSignUpOpen: boolean; welcomeMicros: bigint }

export function renderTrialNews({ title, sentence }: TrialNews): Markup {
  return page(title, html`<p class="lead">${sentence}</p>`)
}

/** Returns the page that is shown while a worker reads the video. */
export function renderTrialWait(videoId: string): Markup {
  return html`<section>
    <h1>Reading…</h1>
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
      return page(finding.title ?? videoId, html`${words(finding)}${allOfIt(finding, facts)}`)
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

function page(title: string, body: Markup): Markup {
  return html`<section>
      <h1 class="title" dir="auto">${title}</h1>
      ${body}
    </section>
    <section>${trialBox('Another video')}</section>`
}

type Read = TrialFinding & { kind: 'read' }

function words({ channelName, languageCode, trackKind, paragraphs }: Read): Markup {
  const channel = channelName === null ? html`` : html`<bdi>${channelName}</bdi> · `
  const kind = trackKind === 'manual' ? 'the creator’s captions' : 'automatic captions'
  return html`<p class="muted">${channel}${languageCode}, ${kind}</p>
    <div class="words" lang="${languageCode}">
      ${paragraphs.map(
        ({ startMs, text }) =>
          html`<p dir="auto"><span class="time">${clock(startMs)}</span> ${text}</p>`,
      )}
    </div>`
}

function allOfIt(
  { words: all, shownWords, endMs }: Read,
  { isSignUpOpen, welcomeMicros }: TrialPageFacts,
): Markup {
  const price = dollars(PRICE_MICROS)
  const part =
    shownWords < all
      ? `These are ${shownWords.toLocaleString('en')} of its ${all.toLocaleString('en')} words, which end at ${clock(endMs)}. A job delivers all of them`
      : `These are all of its ${all.toLocaleString('en')} words. A job delivers them`
  return html`<p>
      ${part} as text, SRT, VTT and JSON for ${price}, and a whole channel as one ZIP. This page
      cost nothing; it is kept for a day.
    </p>
    ${isSignUpOpen ? signUpLink('button', welcomeMicros) : ''}`
}

/** Returns the link to sign up, with the transcripts that the welcome credit pays for. */
export function signUpLink(style: string, welcomeMicros: bigint): Markup {
  const free = affordable(welcomeMicros)
  const gift =
    free === 0
      ? html``
      : html` <span class="muted">with ${free} free transcript${free === 1 ? '' : 's'}</span>`
  return html`<p><a class="${style}" href="/sign-up">Create an account</a>${gift}</p>`
}

/** Returns `1:05` or `1:02:03`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  const last = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${last}` : `${minutes}:${last}`
}
