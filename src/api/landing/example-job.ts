/**
 * The job on the first page, which was really run over a channel of the emulator: its outcome in figures, and some of
 * its rows. test/previews/trials.test.ts holds it against such a job, and writes it with UPDATE_DOCUMENTS=1.
 */
import { cost, dollars } from '../../model/money/money.ts'
import LANDING_JOB from './example-job.json' with { type: 'json' }
import { html, type Markup } from './page.ts'

const WIDTH = 100

export function renderExampleJob(): Markup {
  const { name, processed, delivered, others, rows } = LANDING_JOB
  const price = dollars(cost(1))
  return html`<section aria-labelledby="example">
    <h2 id="example">What a job looks like</h2>
    <figure class="card">
      <p class="row"><strong>${name}</strong><span>Finished</span></p>
      ${share(delivered / processed)}
      <ul class="plain">
        <li class="row">
          <span>${delivered} delivered</span><span>${dollars(cost(delivered))}</span>
        </li>
        ${others.map(
          ({ label, videos }) =>
            html`<li class="row"><span>${videos} ${lowered(label)}</span><span>$0.00</span></li>`,
        )}
      </ul>
      <ul class="rows" aria-label="Some of its videos">
        ${rows.map(
          ({ index, title, label, isDelivered }) =>
            html`<li>
              <span class="muted">${index}</span>
              <span>
                <span class="name-of" dir="auto">${title}</span>
                <span class="muted">${label}</span>
              </span>
              <span>${isDelivered ? price : '$0.00'}</span>
            </li>`,
        )}
      </ul>
      <figcaption>
        A real job over ${processed} videos of the test platform that comes with the program;
        <code>npm run demo</code> shows it live. Each video has a row that says what happened, and
        each delivered one has text, SRT, VTT and JSON; all of it is one ZIP.
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

function lowered(label: string): string {
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
