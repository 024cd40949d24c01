import { startWebKit } from './driver';
import { testEngine } from './mainJob';

testEngine('WebKit', startWebKit);
