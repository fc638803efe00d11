/** The register of the tools that agents may call, each a file of its own. */
import type { Tool } from './tool.ts'
import { cancelJobTool } from './tools/cancel-job.ts'
import { fetchTool } from './tools/fetch.ts'
import { followTool } from './tools/follow.ts'
import { getBalanceTool } from './tools/get-balance.ts'
import { getJobTool } from './tools/get-job.ts'
import { getTranscriptTool } from './tools/get-transcript.ts'
import { listFollowedTool } from './tools/list-followed.ts'
import { listJobsTool } from './tools/list-jobs.ts'
import { listLibraryTool } from './tools/list-library.ts'
import { listResultsTool } from './tools/list-results.ts'
import { previewJobTool } from './tools/preview-job.ts'
import { readTranscriptTool } from './tools/read-transcript.ts'
import { searchTool } from './tools/search.ts'
import { searchTranscriptsTool } from './tools/search-transcripts.ts'
import { startJobTool } from './tools/start-job.ts'
import { unfollowTool } from './tools/unfollow.ts'

/** Every tool under its name, in the order of a job, in which agents are shown them. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [
    getTranscriptTool,
    previewJobTool,
    startJobTool,
    getJobTool,
    listResultsTool,
    readTranscriptTool,
    searchTranscriptsTool,
    listLibraryTool,
    listJobsTool,
    cancelJobTool,
    getBalanceTool,
    followTool,
    unfollowTool,
    listFollowedTool,
    searchTool,
    fetchTool,
  ].map((tool) => [tool.description.name, tool]),
)
