/** Every view in one look, in turn light, dark and a phone; all three of each are for the night. */
import { test } from 'node:test'
import { BY_TURNS, lookAt } from './looks.ts'
import { noBrowser } from './site.ts'
import { lookAtConsole, lookAtMember, openStage } from './stages.ts'
import { OUTSIDE } from './views.ts'

const site = await openStage()

test('the pages outside stand in one look each', { skip: noBrowser }, async (t) => {
  await lookAt(t, site!, { views: OUTSIDE, walks: BY_TURNS })
})

test('the pages of a member stand in one look each', { skip: noBrowser }, async (t) => {
  await lookAtMember(t, site!, BY_TURNS)
})

test('the operator’s console stands in one look each', { skip: noBrowser }, async (t) => {
  await lookAtConsole(t, site!, BY_TURNS)
})
