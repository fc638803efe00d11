/** Sends a page that the server writes itself: without a script, and with a policy that allows none. */
import type { FastifyReply } from 'fastify'
import { type PageParts, renderPage } from './landing/page.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendWritten(reply: FastifyReply, page: PageParts): FastifyReply {
  return reply
    .headers({
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      // A page that nobody is to find is of one visitor.
      'Cache-Control': page.canonical === null ? 'no-store' : 'no-cache',
      Vary: 'Accept, Accept-Encoding, Cookie',
    })
    .type('text/html; charset=utf-8')
    .send(renderPage(page))
}
