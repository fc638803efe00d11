/** Text that nothing can store, a zero character or half of a surrogate pair, is refused wherever it is sent. */
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/** U+0000, or bytes that would be half of a surrogate pair, as an address writes them. */
const UNSTORABLE = /%00|%ed%[ab]/i
const NAME_CHARS_MAX = 60

/** Of query parameters, known or not; in a path such text names nothing, which is 404. */
export function refuseUnstorableQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const place = request.url.indexOf('?')
    const query = place < 0 ? '' : request.url.slice(place + 1)
    if (request.is404 || !UNSTORABLE.test(query)) return done()
    const pair = query.split('&').find((each) => UNSTORABLE.test(each)) ?? ''
    done(unstorable([(pair.split('=', 1)[0] ?? '').slice(0, NAME_CHARS_MAX)]))
  })
}

/** `path`: the names that lead to it, as in `urls`, `3`; none: the body itself, or the name of a property. */
export function unstorable([field = 'The body', ...steps]: string[]): Problem {
  const place = field + steps.map((step) => `[${step.slice(0, NAME_CHARS_MAX)}]`).join('')
  const message = `${place} contains a zero character (U+0000) or an unpaired surrogate; remove it.`
  return new Problem('invalid_request', { message })
}
