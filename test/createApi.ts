import { type Api, type ApiOptions, createSend } from '../src/app/api/client';
import { createApi as createFunctions } from '../src/app/api/createApi';
import { calls } from '../src/contract/allCalls';

/** A function for every call, as the app has them for its own. */
export const createApi = (options?: ApiOptions): Api => createFunctions(createSend(options), calls);
