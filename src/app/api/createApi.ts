import { calls } from '../../contract/calls';
import { apiOver, createSend, type Api, type ApiOptions } from './client';
import { readAnswer } from './parse';

/** Every call of the product over one line. */
export const createApi = (options?: ApiOptions): Api => apiOver(calls, createSend(options), readAnswer);
