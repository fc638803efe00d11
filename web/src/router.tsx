/** The addresses of the site. Each page is loaded when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import {
  commandFileQuery,
  fundsQuery,
  readAhead,
  readJobAhead,
  readSettingsAhead,
  statementQuery,
  topUpQuery,
  visitQuery,
} from './api/queries.ts'
import { invoicesQuery, spendingQuery } from './api/money.ts'
import { Loading } from './parts/states.tsx'
import { Member } from './parts/member.tsx'
import { Shell } from './parts/shell.tsx'
import { NotFoundPage, PageFailed } from './pages/not-found.tsx'
import { parseAddress, writeAddress } from './address-text.ts'
import * as addresses from './addresses.ts'
import { loadPart } from './connection.ts'
import { queryClient } from './query-client.ts'
import { askToSignIn, leadOn } from './way-in.ts'

function lazyPage<Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) {
  const part = () => loadPart(load, () => isOpened(page))
  const page: ReturnType<typeof lazyRouteComponent<Part, Name>> = lazyRouteComponent(part, name)
  return page
}

/** Returns whether the page is the one in the address: hovering a link loads its page, too. */
function isOpened(page: unknown): boolean {
  const [matched] = router.getMatchedRoutes(location.pathname)
  return matched.some(({ options }) => options.component === page)
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })

/** Pages for signed-in readers: others are sent to the sign-in page and back. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: Member,
  beforeLoad: askToSignIn,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const visit = await queryClient.ensureQueryData(visitQuery)
    if (visit.email !== null) throw redirect({ to: '/library' })
    // The server writes this page. The redirect is thrown, since hovering over a link runs this code, too.
    throw redirect({ href: '/welcome', reloadDocument: true })
  },
  component: () => <Loading lines={4} />,
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: addresses.readSignIn,
  beforeLoad: ({ search }) => leadOn(search.next ?? '/library'),
  component: lazyPage(() => import('./pages/sign-in.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  beforeLoad: () => leadOn('/library'),
  component: lazyPage(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyPage(() => import('./pages/forgot.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: addresses.readToken,
  component: lazyPage(() => import('./pages/reset.tsx'), 'ResetPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: addresses.readToken,
  component: lazyPage(() => import('./pages/verify.tsx'), 'VerifyPage'),
})
const confirmAddress = createRoute({
  getParentRoute: () => member,
  path: '/confirm-address',
  validateSearch: addresses.readToken,
  component: lazyPage(() => import('./pages/address-links.tsx'), 'ConfirmAddressPage'),
})
const keepAddress = createRoute({
  getParentRoute: () => root,
  path: '/keep-address',
  validateSearch: addresses.readToken,
  component: lazyPage(() => import('./pages/address-links.tsx'), 'KeepAddressPage'),
})
const library = createRoute({
  getParentRoute: () => member,
  path: '/library',
  validateSearch: addresses.readLibrary,
  component: lazyPage(() => import('./pages/library.tsx'), 'LibraryPage'),
})
const collection = createRoute({
  getParentRoute: () => member,
  path: '/library/$id',
  validateSearch: addresses.readFilter,
  component: lazyPage(() => import('./pages/collection.tsx'), 'CollectionPage'),
})
const jobs = createRoute({
  getParentRoute: () => member,
  path: '/jobs',
  validateSearch: addresses.readPage,
  component: lazyPage(() => import('./pages/jobs.tsx'), 'JobsPage'),
})
const newJob = createRoute({
  getParentRoute: () => member,
  path: '/new',
  validateSearch: addresses.readOrder,
  component: lazyPage(() => import('./pages/new-job.tsx'), 'NewJobPage'),
})
const job = createRoute({
  getParentRoute: () => member,
  path: '/jobs/$id',
  validateSearch: addresses.readFilter,
  loaderDeps: ({ search: { status = '', q = '' } }) => ({ status, search: q }),
  loader: ({ params, deps }) => readJobAhead(queryClient, params.id, deps),
  component: lazyPage(() => import('./pages/job.tsx'), 'JobPage'),
})
const batch = createRoute({
  getParentRoute: () => member,
  path: '/batches/$id',
  component: lazyPage(() => import('./pages/batch.tsx'), 'BatchPage'),
})
const reader = createRoute({
  getParentRoute: () => member,
  path: '/jobs/$id/$index',
  validateSearch: addresses.readPlace,
  // The data is requested while the page's code loads, and not waited for.
  loader: ({ params }) => void readAhead(queryClient, params.id, Number(params.index)),
  component: lazyPage(() => import('./pages/reader.tsx'), 'ReaderPage'),
})
const search = createRoute({
  getParentRoute: () => member,
  path: '/search',
  validateSearch: addresses.readSearch,
  component: lazyPage(() => import('./pages/search.tsx'), 'SearchPage'),
})
const account = createRoute({
  getParentRoute: () => member,
  path: '/account', // the page of before, which held all of them
  beforeLoad: () => {
    throw redirect({ to: '/settings/$part', params: { part: 'sign-in' }, replace: true })
  },
})
const settings = createRoute({
  getParentRoute: () => member,
  path: '/settings/$part',
  loader: ({ params }) => readSettingsAhead(queryClient, params.part),
  component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
})
const money = createRoute({
  getParentRoute: () => member,
  path: '/money', // the billing page of before, to which payments lead back
  validateSearch: addresses.readSpending,
  beforeLoad: () => {
    throw redirect({ to: '/billing', search: true, replace: true })
  },
})
const billing = createRoute({
  getParentRoute: () => member,
  path: '/billing',
  validateSearch: addresses.readSpending,
  loaderDeps: ({ search: { month, by, page } }) => ({ month, by, page }),
  loader: ({ deps }) =>
    Promise.allSettled([
      queryClient.ensureQueryData(fundsQuery),
      queryClient.ensureQueryData(topUpQuery),
      queryClient.ensureQueryData(statementQuery(0)),
      queryClient.ensureQueryData(spendingQuery(deps)),
      queryClient.ensureQueryData(invoicesQuery),
    ]).then(() => null),
  component: lazyPage(() => import('./pages/money.tsx'), 'MoneyPage'),
})
const receipt = createRoute({
  getParentRoute: () => member,
  path: '/receipts/$id',
  component: lazyPage(() => import('./pages/receipt.tsx'), 'ReceiptPage'),
})
const consent = createRoute({
  getParentRoute: () => member,
  path: '/consent',
  validateSearch: addresses.readRequest,
  component: lazyPage(() => import('./pages/consent.tsx'), 'ConsentPage'),
})
const device = createRoute({
  getParentRoute: () => member,
  path: '/device',
  component: lazyPage(() => import('./pages/device.tsx'), 'DevicePage'),
})
const developers = createRoute({
  getParentRoute: () => member,
  path: '/developers',
  loader: () => queryClient.ensureQueryData(commandFileQuery).catch(() => null),
  component: lazyPage(() => import('./pages/developers.tsx'), 'DevelopersPage'),
})
const reference = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  component: lazyPage(() => import('./pages/reference.tsx'), 'ReferencePage'),
})
const following = createRoute({
  getParentRoute: () => member,
  path: '/following',
  component: lazyPage(() => import('./pages/following.tsx'), 'FollowingPage'),
})
const webhooks = createRoute({
  getParentRoute: () => member,
  path: '/webhooks',
  component: lazyPage(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => member,
  path: '/webhooks/$id',
  validateSearch: addresses.readPage,
  component: lazyPage(() => import('./pages/webhook.tsx'), 'WebhookPage'),
})
const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyPage(() => import('./pages/status.tsx'), 'StatusPage'),
})
const operator = createRoute({
  getParentRoute: () => member,
  path: '/operator',
  component: lazyPage(() => import('./pages/operator/console.tsx'), 'OperatorPage'),
})
const operatorPart = createRoute({
  getParentRoute: () => member,
  path: '/operator/$part',
  validateSearch: addresses.readId,
  component: lazyPage(() => import('./pages/operator/console.tsx'), 'OperatorPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    signUp,
    forgot,
    reset,
    verify,
    keepAddress,
    reference,
    status,
    member.addChildren([
      library,
      collection,
      jobs,
      newJob,
      job,
      batch,
      reader,
      account,
      settings,
      confirmAddress,
      money,
      billing,
      receipt,
      consent,
      device,
      developers,
      webhooks,
      webhook,
      search,
      following,
      operator,
      operatorPart,
    ]),
  ]),
  parseSearch: parseAddress,
  stringifySearch: writeAddress,
  search: { strict: true }, // without it, pages get what their readers of addresses refuse
  defaultErrorComponent: PageFailed, // in its place inside the shell, which stays
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading lines={4} />,
})
