// Both languages of the host's page: every entry is a pair, English and Korean, so that none can lack one.
import { accountWords } from "./words-account.js";
import { meetingWords } from "./words-meeting.js";
import { sessionWords } from "./words-session.js";

export const language = document.documentElement.lang === "ko" ? "ko" : "en";

const shared = {
  account: ["Account", "계정"],
  back: ["Back", "뒤로"],
  cancel: ["Cancel", "취소"],
  gone: ["This is not here, or not yours to see.", "찾을 수 없거나 볼 수 있는 권한이 없습니다."],
  home: ["Home", "홈"],
  live: ["live", "실시간"],
  more: ["More", "더 보기"],
  next: ["Next", "다음"],
  none: ["none", "없음"],
  notReached: ["The server cannot be reached.", "서버에 연결할 수 없습니다."],
  notReachedHint: ["Look at the network, and try again.", "네트워크를 확인하고 다시 시도하세요."],
  notSent: ["Not sent: the network or the server is away. What you typed is kept; try again.", "전송되지 않았습니다. 입력한 내용은 남아 있으니 다시 시도하세요."],
  otherLanguage: ["한국어", "English"],
  over: ["The live view has ended; reload the page.", "실시간 보기가 끝났습니다. 페이지를 새로 고치세요."],
  reconnecting: ["reconnecting …", "다시 연결하는 중…"],
  save: ["Save", "저장"],
  saved: ["Saved.", "저장했습니다."],
  signOut: ["Sign out", "로그아웃"],
  somebodyFaster: ["Somebody changed this in the meantime. Here is how it is now.", "그 사이에 다른 사람이 변경했습니다. 지금 상태를 보여 드립니다."],
  tryAgain: ["Try again", "다시 시도"],
  undo: ["Undo", "되돌리기"],
};

export const words = { ...shared, ...accountWords, ...meetingWords, ...sessionWords };

export const statuses = ["awaited", "present", "late", "absent", "excused"];
/** Those that a host gives with one tap. */
export const marks = ["present", "late", "absent", "excused"];

/** The text in the page's language, with `{name}` filled in. */
export function t(key, values = {}) {
  const pair = words[key];
  if (!pair) throw new Error(`no words for ${key}`);
  return pair[language === "ko" ? 1 : 0].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
