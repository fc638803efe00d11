/** The first page as a visitor without an account reads it: what this is, what it costs, and how to check all of it. */
import { cost, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import { html, type Markup } from './page.ts'
import { firstPicture, otherPictures } from './showcase.ts'
import { signUpLink, trialBox } from './trial-page.ts'

export const LANDING_TITLE = 'Scriptorium: search and read every word of a channel'
export const LANDING_DESCRIPTION =
  'Transcripts of videos, playlists and whole channels from the captions that they publish. ' +
  `${dollars(PRICE_MICROS)} for each that is delivered, nothing for what is not, and a receipt that you can check.`

type LandingFacts = {
  publicUrl: string
  /** The file of the command line; null where this server has none. */
  commandFile: string | null
  isSignUpOpen: boolean
  welcomeMicros: bigint
  /** True where visitors may try one video. */
  hasTrials: boolean
  /** The number that was entered into the calculator. */
  videos: number
  /** True for somebody who has just deleted their account. */
  hasLeft: boolean
  /** Where a demo leads to its own library; null elsewhere. */
  demoUrl: string | null
}

/** The share of videos without captions on an ordinary channel, in per cent. */
const WITHOUT_CAPTIONS_PERCENT = 9
const MICROS_PER_CENT = 10_000n
export const CALCULATOR = { default: 1_200, max: 100_000 }

export function renderLanding(facts: LandingFacts): Markup {
  return html`${facts.hasLeft ? LEFT : html``}
    <div class="hero">
      <section>
        <h1>Search and read every word of a channel.</h1>
        <p class="lead">
          Scriptorium fetches the captions that videos publish, of one video, a playlist or a
          channel of thousands, and gives them to you as text to search, quote and keep.
        </p>
        ${entrance(facts)}
        <ul class="facts" aria-label="Prices">
          <li><strong>${dollars(PRICE_MICROS)}</strong> for each transcript that is delivered</li>
          <li><strong>$0.00</strong> for videos without captions, private or gone</li>
          <li><strong>No subscription</strong>, and what you pay in does not expire</li>
        </ul>
      </section>
      ${firstPicture(facts.demoUrl)}
    </div>
    ${otherPictures(facts.demoUrl)}${calculator(facts.videos)}${promises()}${waysIn(facts)}${comparison()}`
}

const LEFT = html`<p class="note" role="status">Your account was deleted.</p>`

/** Returns the ways in. Beside a trial, an account is the second step. */
function entrance({ isSignUpOpen, welcomeMicros, hasTrials }: LandingFacts): Markup {
  const label = 'Try it with one video, without an account'
  if (!isSignUpOpen)
    return html`${hasTrials ? trialBox(label) : html``}
      <p>New accounts are created by whoever runs this server. <a href="/sign-in">Sign in</a></p>`
  if (hasTrials) return trialBox(label, { beside: signUpLink('way', welcomeMicros) })
  return html`<p>${signUpLink('button', welcomeMicros)}</p>`
}

function calculator(videos: number): Markup {
  const count = videos.toLocaleString('en')
  const withText = videos - Math.round((videos * WITHOUT_CAPTIONS_PERCENT) / 100)
  return html`<section aria-labelledby="calculator">
    <h2 id="calculator">What it costs</h2>
    <form class="line" method="get" action="/welcome#calculator">
      <label for="videos">Videos</label>
      <input
        id="videos"
        name="videos"
        type="number"
        min="1"
        max="${CALCULATOR.max}"
        required
        value="${videos}"
      />
      <button type="submit">Calculate</button>
    </form>
    <p class="lead">A channel of ${count}: at most <strong>${inCents(cost(videos))}</strong>.</p>
    <p>
      Typically ${WITHOUT_CAPTIONS_PERCENT} % have no captions and cost nothing, which leaves about
      ${inCents(cost(withText))}. There is no subscription and nothing expires. Before you order, a
      preview shows what a job will fetch, and the most that it can cost is reserved: it never costs
      more.
    </p>
  </section>`
}

function waysIn({ publicUrl, commandFile }: LandingFacts): Markup {
  const api = `${publicUrl}/api/v1`
  const command =
    commandFile === null
      ? html``
      : html`<pre><code>npx ${parted(`${publicUrl}/clients/${commandFile}`)} \\
  get @channel</code></pre>`
  return html`<section aria-labelledby="ways">
    <h2 id="ways">Other ways to use it</h2>
    <div class="columns">
      <div>
        <h3>curl</h3>
        <pre><code>curl ${parted(`${api}/jobs`)} \\
  -H "Authorization: Bearer $SCRIPTORIUM_API_KEY" \\
  --json '{"urls":"@channel"}'</code></pre>
      </div>
      <div>
        <h3>A client or the command line</h3>
        ${command}
        <p>Libraries for TypeScript and Python, with <a href="/docs">examples for each call</a>.</p>
      </div>
      <div>
        <h3>An agent</h3>
        <pre><code>${parted(`${publicUrl}/mcp`)}</code></pre>
        <p>Tools by the Model Context Protocol, connected by consent and with a monthly limit.</p>
      </div>
    </div>
  </section>`
}

/** Returns an address that a narrow column breaks behind its slashes, not within a name. */
function parted(address: string): Markup {
  return html`${address.split(/(?<=[^/:]\/)/).map((part) => html`${part}<wbr />`)}`
}

function promises(): Markup {
  const lines: [string, string][] = [
    [
      'You pay for delivered transcripts only.',
      'Each job has a signed receipt. Its page has a button that checks signature, texts and charge in your browser; a script that uses none of our code does the same.',
    ],
    [
      'Nothing is paid twice by surprise.',
      'The same list again costs nothing for what you have and continues with what is new. A changed list is a new order: we tell you first what you already own, and leave it out unless you want it again.',
    ],
    [
      'Outcomes are honest.',
      'Every video has a row. A block of ours is never reported as “no captions”, and an empty answer never as a success.',
    ],
    [
      'Your money is in a book that shows every change.',
      'The ledger is a chain of hashes. Download it as CSV and add it up yourself.',
    ],
    [
      'You can leave with everything.',
      'Texts are plain files, the program is open source under Apache 2.0, and you can run it yourself.',
    ],
  ]
  return html`<section aria-labelledby="promises">
    <h2 id="promises">What we promise, and how you check it</h2>
    <dl>
      ${lines.map(
        ([what, how]) =>
          html`<div>
            <dt>${what}</dt>
            <dd>${how}</dd>
          </div>`,
      )}
    </dl>
  </section>`
}

function comparison(): Markup {
  const kinds = ['Scriptorium', 'A script of your own', 'Speech-to-text']
  const lines: [string, string, string, string][] = [
    ['Whole channels and playlists, continued later', 'yes', 'you build it', 'rarely'],
    ['Videos without captions', 'no: they are free rows', 'no', 'yes'],
    [
      'Words as the author published them',
      'yes, where they did',
      'yes, where they did',
      'transcribed again',
    ],
    [
      'Price of 1,000 videos',
      `at most ${inCents(cost(1_000))}`,
      'your time and proxies',
      'per minute of audio',
    ],
    ['Blocks by the platform', 'we handle it and tell you', 'you handle it', 'you handle it'],
    ['Proof of the bill', 'signed receipt, checked by you', 'no bill', 'an invoice'],
    ['Run it yourself', 'yes', 'yes', 'some'],
  ]
  return html`<section aria-labelledby="comparison">
    <h2 id="comparison">When something else is better</h2>
    <p>
      If you need words of videos that have no captions, take speech-to-text. For five videos a
      year, a script will do.
    </p>
    <table class="comparison">
      <thead>
        <tr>
          <td></td>
          ${kinds.map((kind) => html`<th scope="col">${kind}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ([what, ...cells]) =>
            html`<tr>
              <th scope="row">${what}</th>
              ${cells.map((cell, at) => html`<td data-of="${kinds[at] ?? ''}">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/** Returns the sum in whole cents, rounded up, since "at most" has to hold. */
function inCents(micros: bigint): string {
  return dollars(((micros + MICROS_PER_CENT - 1n) / MICROS_PER_CENT) * MICROS_PER_CENT)
}
