/** The first task of every thread (threads.ts): a thread that does it is up, with the file of its tasks imported. */
export function up(): void {}
