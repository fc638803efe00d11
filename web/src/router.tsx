/** The addresses of the site. Each page is loaded when it is first opened. */
import {
  type AnyRoute,
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
import { invoicesQuery, spendingQuery, usageQuery } from './api/money.ts'
import { Loading } from './parts/states.tsx'
import { Member } from './parts/member.tsx'
import { Shell } from './parts/shell.tsx'
import { NotFoundPage, PageFailed } from './pages/not-found.tsx'
import { parseAddress, writeAddress } from './address-text.ts'
import * as addresses from './addresses.ts'
import { loadPart } from './connection.ts'
import { queryClient } from './query-client.ts'
import { noteStep } from './trail.ts'
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

/** The pages of the reference are one, so that its search stays from page to page. */
const reference = createRoute({
  getParentRoute: () => root,
  id: 'reference',
  component: lazyPage(() => import('./pages/reference.tsx'), 'ReferencePage'),
})

const forAll = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path })
const forMembers = <Path extends string>(path: Path) => ({ getParentRoute: () => member, path })

/** A page that reads nothing from its address but its place, and nothing ahead. */
const plainPage = <
  Parent extends AnyRoute,
  Path extends string,
  Part extends Record<string, unknown>,
>(
  place: { getParentRoute: () => Parent; path: Path },
  load: () => Promise<Part>,
  name: keyof Part,
) => createRoute({ ...place, component: lazyPage(load, name) })

export const router = createRouter({
  routeTree: root.addChildren([
    createRoute({
      ...forAll('/'),
      beforeLoad: async () => {
        const visit = await queryClient.ensureQueryData(visitQuery)
        if (visit.email !== null) throw redirect({ to: '/library' })
        // The server writes this page. The redirect is thrown, since hovering over a link runs this code, too.
        throw redirect({ href: '/welcome', reloadDocument: true })
      },
      component: () => <Loading lines={4} />,
    }),
    createRoute({
      ...forAll('/sign-in'),
      validateSearch: addresses.readSignIn,
      beforeLoad: ({ search }) => leadOn(search.next ?? '/library'),
      component: lazyPage(() => import('./pages/sign-in.tsx'), 'SignInPage'),
    }),
    createRoute({
      ...forAll('/sign-up'),
      beforeLoad: () => leadOn('/library'),
      component: lazyPage(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
    }),
    plainPage(forAll('/forgot'), () => import('./pages/forgot.tsx'), 'ForgotPage'),
    createRoute({
      ...forAll('/reset'),
      validateSearch: addresses.readToken,
      component: lazyPage(() => import('./pages/reset.tsx'), 'ResetPage'),
    }),
    createRoute({
      ...forAll('/verify'),
      validateSearch: addresses.readToken,
      component: lazyPage(() => import('./pages/verify.tsx'), 'VerifyPage'),
    }),
    createRoute({
      ...forAll('/keep-address'),
      validateSearch: addresses.readToken,
      component: lazyPage(() => import('./pages/address-links.tsx'), 'KeepAddressPage'),
    }),
    reference.addChildren([
      createRoute({ getParentRoute: () => reference, path: '/docs' }),
      createRoute({ getParentRoute: () => reference, path: '/docs/api/$group' }),
    ]),
    plainPage(forAll('/status'), () => import('./pages/status.tsx'), 'StatusPage'),
    member.addChildren([
      createRoute({
        ...forMembers('/library'),
        validateSearch: addresses.readLibrary,
        component: lazyPage(() => import('./pages/library.tsx'), 'LibraryPage'),
      }),
      createRoute({
        ...forMembers('/library/$id'),
        validateSearch: addresses.readVideoFilter,
        component: lazyPage(() => import('./pages/collection.tsx'), 'CollectionPage'),
      }),
      createRoute({
        ...forMembers('/jobs'),
        validateSearch: addresses.readOrders,
        component: lazyPage(() => import('./pages/jobs.tsx'), 'JobsPage'),
      }),
      createRoute({
        ...forMembers('/new'),
        validateSearch: addresses.readOrder,
        component: lazyPage(() => import('./pages/new-job.tsx'), 'NewJobPage'),
      }),
      createRoute({
        ...forMembers('/jobs/$id'),
        validateSearch: addresses.readRowFilter,
        loaderDeps: ({ search: { status = '', q = '' } }) => ({ status, search: q }),
        loader: ({ params, deps }) => readJobAhead(queryClient, params.id, deps),
        component: lazyPage(() => import('./pages/job.tsx'), 'JobPage'),
      }),
      plainPage(forMembers('/batches/$id'), () => import('./pages/batch.tsx'), 'BatchPage'),
      createRoute({
        ...forMembers('/jobs/$id/$index'),
        validateSearch: addresses.readPlace,
        // The data is requested while the page's code loads, and not waited for.
        loader: ({ params }) =>
          void readAhead(queryClient, params.id, Number(params.index))
            .then((isText) => (isText ? import('./pages/reader.tsx') : null))
            .catch(() => null), // what is shown asks again
        component: lazyPage(() => import('./pages/row.tsx'), 'RowPage'),
      }),
      createRoute({
        ...forMembers('/account'), // the page of before, which held all of them
        beforeLoad: () => {
          throw redirect({ to: '/settings/$part', params: { part: 'sign-in' }, replace: true })
        },
      }),
      createRoute({
        ...forMembers('/settings/$part'),
        loader: ({ params }) => readSettingsAhead(queryClient, params.part),
        component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
      }),
      createRoute({
        ...forMembers('/confirm-address'),
        validateSearch: addresses.readToken,
        component: lazyPage(() => import('./pages/address-links.tsx'), 'ConfirmAddressPage'),
      }),
      createRoute({
        ...forMembers('/money'), // the billing page of before, to which payments lead back
        validateSearch: addresses.readSpending,
        beforeLoad: () => {
          throw redirect({ to: '/billing', search: true, replace: true })
        },
      }),
      createRoute({
        ...forMembers('/billing'),
        validateSearch: addresses.readSpending,
        loaderDeps: ({ search: { month, by, page } }) => ({ month, by, page }),
        loader: ({ deps }) =>
          Promise.allSettled([
            queryClient.ensureQueryData(fundsQuery),
            queryClient.ensureQueryData(topUpQuery),
            queryClient.ensureQueryData(statementQuery(0)),
            queryClient.ensureQueryData(spendingQuery(deps)),
            queryClient.ensureQueryData(invoicesQuery),
            queryClient.ensureQueryData(usageQuery),
          ]).then(() => null),
        component: lazyPage(() => import('./pages/money.tsx'), 'MoneyPage'),
      }),
      plainPage(forMembers('/receipts/$id'), () => import('./pages/receipt.tsx'), 'ReceiptPage'),
      createRoute({
        ...forMembers('/consent'),
        validateSearch: addresses.readRequest,
        component: lazyPage(() => import('./pages/consent.tsx'), 'ConsentPage'),
      }),
      plainPage(forMembers('/device'), () => import('./pages/device.tsx'), 'DevicePage'),
      createRoute({
        ...forMembers('/developers'),
        loader: () => queryClient.ensureQueryData(commandFileQuery).catch(() => null),
        component: lazyPage(() => import('./pages/developers.tsx'), 'DevelopersPage'),
      }),
      plainPage(forMembers('/webhooks'), () => import('./pages/webhooks.tsx'), 'WebhooksPage'),
      createRoute({
        ...forMembers('/webhooks/$id'),
        validateSearch: addresses.readPage,
        component: lazyPage(() => import('./pages/webhook.tsx'), 'WebhookPage'),
      }),
      createRoute({
        ...forMembers('/search'),
        validateSearch: addresses.readSearch,
        component: lazyPage(() => import('./pages/search.tsx'), 'SearchPage'),
      }),
      plainPage(forMembers('/following'), () => import('./pages/following.tsx'), 'FollowingPage'),
      plainPage(
        forMembers('/operator'),
        () => import('./pages/operator/console.tsx'),
        'OperatorPage',
      ),
      createRoute({
        ...forMembers('/operator/$part'),
        validateSearch: addresses.readId,
        component: lazyPage(() => import('./pages/operator/console.tsx'), 'OperatorPage'),
      }),
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

router.subscribe('onBeforeLoad', ({ toLocation: { href, state } }) =>
  noteStep({ href, at: state.__TSR_index }),
)
