/**
 * The job on the first page, which was really run over a channel of the emulator: the beginning of one of its texts,
 * and its outcome in figures. test/previews/trials.test.ts holds it against such a job; `npm run print -- --examples`
 * writes it.
 */
import { cost, dollars } from '../../model/money/money.ts'
import LANDING_JOB from './example-job.json' with { type: 'json' }
import { html, type Markup } from './page.ts'
import { clock } from '../../kit/text/clock.ts'

const WIDTH = 100
const FILES = ['TXT', 'SRT', 'VTT', 'JSON', 'Markdown', 'ZIP']

export function renderExampleJob(): Markup {
  const { name, processed, delivered, others, transcript } = LANDING_JOB
  return html`<section aria-labelledby="example">
    <h2 id="example" class="eyebrow">What you get</h2>
    <figure class="card">
      <p class="name-of" dir="auto">${transcript.title}</p>
      <p class="muted">${name} · English</p>
      <div class="words" lang="en">
        ${transcript.paragraphs.map(
          ({ startMs, text }) => html`<p><span class="time">${clock(startMs)}</span> ${text}</p>`,
        )}
      </div>
      <ul class="files" aria-label="Its files">
        ${FILES.map((file) => html`<li>${file}</li>`)}
      </ul>
      <div class="outcome">
        <p class="row">
          <strong>All of ${name}</strong><strong>${dollars(cost(delivered))}</strong>
        </p>
        ${share(delivered / processed)}
        <p class="muted">
          ${delivered} of ${processed} videos delivered.
          ${others.map(({ label, videos }) => `${label}: ${videos}, free.`).join(' ')}
        </p>
      </div>
      <figcaption>
        A real job over the test platform that comes with the program;
        <code>npm run demo</code> shows it live.
      </figcaption>
    </figure>
  </section>`
}

/** Returns the share as a drawing, since the policy of these pages allows no style in the markup. */
function share(delivered: number): Markup {
  const width = Math.round(delivered * WIDTH)
  return html`<svg
    class="share"
    viewBox="0 0 ${WIDTH} 1"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="none" width="${WIDTH}" height="1" />
    <rect class="delivered" width="${width}" height="1" />
  </svg>`
}
