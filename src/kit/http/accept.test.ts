/** What clients accept, and whether they get a page or its Markdown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersMarkdown } from './accept.ts'

test('Markdown is given to those who name it, and like it no less than HTML', () => {
  for (const [accept, expected] of [
    ['text/markdown', true],
    ['text/markdown, text/html, */*', true],
    ['text/html;q=0.9, text/markdown', true],
    ['TEXT/MARKDOWN; q=0.5, */*;q=0.1', true],
    ['text/html, text/markdown;q=0.9', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['*/*', false],
    [undefined, false],
  ] as const)
    assert.equal(prefersMarkdown(accept), expected, accept)
})
