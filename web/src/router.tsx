/** The addresses of the site. Each page is loaded when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import {
  fundsQuery,
  keysQuery,
  methodsQuery,
  statementQuery,
  topUpQuery,
  visitQuery,
} from './api/queries.ts'
import { Loading } from './parts/states.tsx'
import { Shell } from './parts/shell.tsx'
import { NotFoundPage, PageFailed } from './pages/not-found.tsx'
import { queryClient } from './query-client.ts'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: PageFailed,
})

const readToken = (search: Record<string, unknown>): { token?: string } =>
  typeof search['token'] === 'string' ? { token: search['token'] } : {}
const readNext = (search: Record<string, unknown>): { next?: string } =>
  typeof search['next'] === 'string' && /^\/(?!\/)/.test(search['next'])
    ? { next: search['next'] }
    : {}

/** Pages for signed-in readers lead others to the sign-in page and back. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: async ({ location }) => {
    const visit = await queryClient.ensureQueryData(visitQuery)
    if (visit.email === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const visit = await queryClient.ensureQueryData(visitQuery)
    if (visit.email !== null) throw redirect({ to: '/jobs' })
  },
  component: lazyRouteComponent(() => import('./pages/welcome.tsx'), 'WelcomePage'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; error?: string } => ({
    ...readNext(search),
    ...(typeof search['error'] === 'string' ? { error: search['error'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
})
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./pages/forgot.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: readToken,
  component: lazyRouteComponent(() => import('./pages/reset.tsx'), 'ResetPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: readToken,
  component: lazyRouteComponent(() => import('./pages/verify.tsx'), 'VerifyPage'),
})
const jobs = createRoute({
  getParentRoute: () => member,
  path: '/jobs',
  validateSearch: (search: Record<string, unknown>): { page?: number } => {
    const page = Number(search['page'])
    return Number.isSafeInteger(page) && page > 1 ? { page } : {}
  },
  component: lazyRouteComponent(() => import('./pages/jobs.tsx'), 'JobsPage'),
})
const newJob = createRoute({
  getParentRoute: () => member,
  path: '/new',
  validateSearch: (search: Record<string, unknown>): { urls?: string } =>
    typeof search['urls'] === 'string' ? { urls: search['urls'] } : {},
  component: lazyRouteComponent(() => import('./pages/new-job.tsx'), 'NewJobPage'),
})
const job = createRoute({
  getParentRoute: () => member,
  path: '/jobs/$id',
  component: lazyRouteComponent(() => import('./pages/job.tsx'), 'JobPage'),
})
const reader = createRoute({
  getParentRoute: () => member,
  path: '/jobs/$id/$index',
  component: lazyRouteComponent(() => import('./pages/reader.tsx'), 'ReaderPage'),
})
const account = createRoute({
  getParentRoute: () => member,
  path: '/account',
  validateSearch: (search: Record<string, unknown>): { paid?: string } =>
    search['paid'] === undefined ? {} : { paid: String(search['paid']) },
  // All parts come before the page is drawn, so that none pushes another down; what fails says so itself.
  loader: () =>
    Promise.allSettled([
      queryClient.ensureQueryData(fundsQuery),
      queryClient.ensureQueryData(topUpQuery),
      queryClient.ensureQueryData(statementQuery(0)),
      queryClient.ensureQueryData(keysQuery),
      queryClient.ensureQueryData(methodsQuery),
    ]).then(() => null),
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
})
const developers = createRoute({
  getParentRoute: () => member,
  path: '/developers',
  component: lazyRouteComponent(() => import('./pages/developers.tsx'), 'DevelopersPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    signUp,
    forgot,
    reset,
    verify,
    member.addChildren([jobs, newJob, job, reader, account, developers]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading lines={4} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
