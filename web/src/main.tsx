/** Starts the website. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import './styles.css'

// The first page's code and data are requested now, before it is drawn.
for (const route of router.getMatchedRoutes(location.pathname)[0])
  router.loadRouteChunk(route)?.catch(() => undefined)
router.load().catch(() => undefined) // the page itself shows what failed

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
