/** Keys of the website: the list of shortcuts, which one is meant, what is found by name, and the way back. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const WEB = path.resolve(import.meta.dirname, '../../web/src')
const { SHORTCUTS, shortcutOf } = await import(path.join(WEB, 'shortcuts.ts'))
const { asTyped, calledAs } = await import(path.join(WEB, 'found-places.ts'))
const { noteStep, openedFrom, partOf } = await import(path.join(WEB, 'trail.ts'))

const AT_REST = { begun: '', isTyping: false, isOn: true }
const key = (name: string, held: object = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})
const actOf = (pressed: object, state: object = AT_REST) => shortcutOf(pressed, state)?.act ?? null

test('each shortcut of the list is understood, and no two have one key', () => {
  const all = SHORTCUTS.flatMap(({ keys }: { keys: string[] }) => keys)
  assert.equal(new Set(all).size, all.length)
  for (const { act, keys, to } of SHORTCUTS)
    for (const name of keys) {
      const [first, second] = name.split(' ')
      if (name === 'Enter') continue // the browser presses what has the focus
      if (name === 'Ctrl+K') assert.equal(actOf(key('k', { ctrlKey: true })), act)
      else if (second === undefined) assert.equal(actOf(key(first)), act)
      else {
        assert.equal(shortcutOf(key(first), AT_REST), first)
        const meant = shortcutOf(key(second), { ...AT_REST, begun: first })
        assert.deepEqual([meant.act, meant.to], [act, to])
        assert.ok(
          readFileSync(path.join(WEB, 'router.tsx'), 'utf8').includes(`forMembers('${to}')`),
        )
      }
    }
})

test('single keys do nothing while somebody types, with other keys, or once they are switched off', () => {
  for (const name of ['/', '?', 'j', 'k', 'o', 'x', 'g']) {
    assert.notEqual(shortcutOf(key(name), AT_REST), null, name)
    assert.equal(shortcutOf(key(name), { ...AT_REST, isTyping: true }), null, name)
    assert.equal(shortcutOf(key(name), { ...AT_REST, isOn: false }), null, name)
    assert.equal(shortcutOf(key(name, { altKey: true }), AT_REST), null, name)
  }
  assert.equal(actOf(key('j', { ctrlKey: true })), null)
  assert.equal(actOf(key('l', { metaKey: true }), { ...AT_REST, begun: 'g' }), null)
  assert.equal(actOf(key('x'), { ...AT_REST, begun: 'g' }), null)
  for (const held of [{ ctrlKey: true }, { metaKey: true }])
    assert.equal(
      actOf(key('K', held), { begun: 'g', isTyping: true, isOn: false }),
      'palette',
      'with Control it works in a field, too, and cannot be pressed unawares',
    )
  assert.equal(actOf(key('k', { ctrlKey: true, altKey: true })), null, 'AltGr types a character')
})

test('names are found by their words in any order, without case and accents', () => {
  const names = ['Café Zürich', 'Small Workshop', '日本語チャンネル', 'قناة الأخبار']
  const found = (typed: string) => calledAs(typed, names, (name: string) => name)
  assert.deepEqual(found('cafe'), ['Café Zürich'])
  assert.deepEqual(found('zurich CAFÉ'), ['Café Zürich'])
  assert.deepEqual(found(' work  sm '), ['Small Workshop'])
  assert.deepEqual(found('日本'), ['日本語チャンネル'])
  assert.deepEqual(found('قناة'), ['قناة الأخبار'])
  assert.deepEqual(found(''), names)
  assert.deepEqual(found('bridge'), [])
  assert.deepEqual(['bri', '"old bri', 'old', ' \u200b '].map(asTyped), [
    'bri*',
    '"old bri',
    'old*',
    '',
  ])
})

test('a row leads back to the page where the first of the rows was opened, and other pages to the one before', () => {
  const search = { at: 1, href: '/search?q=bridge&page=2' }
  for (const [at, href] of ['/library', search.href, '/jobs/a/3?find=x', '/jobs/b/7'].entries())
    noteStep({ at, href })
  const row = { at: 3, href: '/jobs/b/7' }
  assert.deepEqual(openedFrom(row), search)
  assert.equal(partOf(row), '/search')
  assert.deepEqual(openedFrom({ at: 1, href: search.href }), { at: 0, href: '/library' })
  assert.equal(partOf({ at: 1, href: search.href }), '/search')

  noteStep({ at: 2, href: '/jobs/a?status=success' })
  assert.deepEqual(openedFrom({ at: 3, href: '/jobs/a/1' })?.href, '/jobs/a?status=success')
  noteStep({ at: 3, href: '/jobs/a' })
  assert.deepEqual(openedFrom({ at: 3, href: '/jobs/a' }), search, 'a page does not lead to itself')

  noteStep({ at: 0, href: '/jobs/a/9' })
  assert.equal(openedFrom({ at: 0, href: '/jobs/a/9' }), null)
  assert.equal(partOf({ at: 0, href: '/jobs/a/9' }), '/jobs')
  for (let at = 0; at < 100; at += 1) noteStep({ at, href: `/jobs/a/${at}` })
  assert.equal(openedFrom({ at: 100, href: '/jobs/a/100' }), null)
})
