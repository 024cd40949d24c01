import { calls } from '../contract/calls';
import { apiOver, createSend, type Api, type ApiOptions } from './api';
import { readAnswer } from './read';

/** Every call of the product over one line. */
export const createApi = (options?: ApiOptions): Api => apiOver(calls, createSend(options), readAnswer);
