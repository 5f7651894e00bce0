/* The functions of libpq that this program calls. */
#include "forward.h"

#include <libpq-fe.h>

#define LIBRARY QRING_PQ

FORWARD(int, PQbackendPID, (const PGconn *a), (a))
FORWARD(void, PQclear, (PGresult *a), (a))
FORWARD(char *, PQcmdStatus, (PGresult *a), (a))
FORWARD(char *, PQcmdTuples, (PGresult *a), (a))
FORWARD(PGconn *, PQconnectdbParams, (const char *const *a, const char *const *b, int c), (a, b, c))
FORWARD(void, PQconninfoFree, (PQconninfoOption *a), (a))
FORWARD(PQconninfoOption *, PQconninfoParse, (const char *a, char **b), (a, b))
FORWARD(int, PQconsumeInput, (PGconn *a), (a))
FORWARD(int, PQenterPipelineMode, (PGconn *a), (a))
FORWARD(char *, PQerrorMessage, (const PGconn *a), (a))
FORWARD(PGresult *, PQexec, (PGconn *a, const char *b), (a, b))
FORWARD(int, PQexitPipelineMode, (PGconn *a), (a))
FORWARD(void, PQfinish, (PGconn *a), (a))
FORWARD(int, PQflush, (PGconn *a), (a))
FORWARD(char *, PQfname, (const PGresult *a, int b), (a, b))
FORWARD(void, PQfreemem, (void *a), (a))
FORWARD(Oid, PQftype, (const PGresult *a, int b), (a, b))
FORWARD(int, PQgetCopyData, (PGconn *a, char **b, int c), (a, b, c))
FORWARD(PGresult *, PQgetResult, (PGconn *a), (a))
FORWARD(int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c))
FORWARD(int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c))
FORWARD(char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c))
FORWARD(int, PQisBusy, (PGconn *a), (a))
FORWARD(PGnotify *, PQnotifies, (PGconn *a), (a))
FORWARD(int, PQntuples, (const PGresult *a), (a))
FORWARD(const char *, PQparameterStatus, (const PGconn *a, const char *b), (a, b))
FORWARD(char *, PQpass, (const PGconn *a), (a))
FORWARD(int, PQpipelineSync, (PGconn *a), (a))
FORWARD(int, PQputCopyData, (PGconn *a, const char *b, int c), (a, b, c))
FORWARD(int, PQputCopyEnd, (PGconn *a, const char *b), (a, b))
FORWARD(void, PQreset, (PGconn *a), (a))
FORWARD(char *, PQresultErrorField, (const PGresult *a, int b), (a, b))
FORWARD(ExecStatusType, PQresultStatus, (const PGresult *a), (a))
FORWARD(int, PQsendPrepare, (PGconn *a, const char *b, const char *c, int d, const Oid *e), (a, b, c, d, e))
FORWARD(int, PQsendQuery, (PGconn *a, const char *b), (a, b))
FORWARD(
    int, PQsendQueryPrepared,
    (PGconn *a, const char *b, int c, const char *const *d, const int *e, const int *f, int g),
    (a, b, c, d, e, f, g))
FORWARD(int, PQserverVersion, (const PGconn *a), (a))
FORWARD(PGVerbosity, PQsetErrorVerbosity, (PGconn *a, PGVerbosity b), (a, b))
FORWARD(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *a, PQnoticeReceiver b, void *c), (a, b, c))
FORWARD(int, PQsetnonblocking, (PGconn *a, int b), (a, b))
FORWARD(int, PQsocket, (const PGconn *a), (a))
FORWARD(ConnStatusType, PQstatus, (const PGconn *a), (a))
FORWARD(PGTransactionStatusType, PQtransactionStatus, (const PGconn *a), (a))
