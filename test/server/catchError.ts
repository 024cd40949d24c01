/** The error something fails with. Fails itself if there was none. */
export const catchError = (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => {
      throw new Error('expected a refusal');
    },
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
