/** Every view in light, in dark and on a phone; `npm run pictures` draws these views. */
import { test } from 'node:test'
import { EVERY_LOOK, lookAt } from './looks.ts'
import { drawShowcase } from './showcase.ts'
import { noBrowser } from './site.ts'
import { lookAtConsole, lookAtMember, openStage } from './stages.ts'
import { OUTSIDE } from './views.ts'

const site = await openStage()

test('the pages outside stand in every look', { skip: noBrowser }, async (t) => {
  await lookAt(t, site!, { views: OUTSIDE, walks: EVERY_LOOK })
})

test('the pages of a member stand in every look', { skip: noBrowser }, async (t) => {
  await lookAtMember(t, site!, EVERY_LOOK)
})

test('the pictures of the first page show what they say', { skip: noBrowser }, async () => {
  await drawShowcase(site!)
})

test('the operator’s console stands in every look', { skip: noBrowser }, async (t) => {
  await lookAtConsole(t, site!, EVERY_LOOK)
})
