/*
 * A provider for OpenSSL to load, built by the tests of the openssl backend. It offers nothing, unless built with
 *
 *   REFUSES        its start fails
 *   NEEDS_SETTING  its start fails without the setting motto = hello
 *   REJECTS        it offers ML-DSA-44 for verifying, and finds no signature valid
 *   STOPPED        it says that it has stopped
 *
 * NAME is its name in quotes. The few declarations that it needs of openssl/core.h and openssl/core_dispatch.h
 * stand here, so that a system without OpenSSL's headers can build it.
 */
#include <stddef.h>
#include <string.h>

typedef void (*function)(void);
typedef struct { int id; function function; } dispatch;
typedef struct { const char *key; unsigned int type; void *data; size_t size, returned; } param;
typedef struct { const char *names, *properties; const dispatch *functions; const char *description; } algorithm;

enum { UNSIGNED_INTEGER = 2, OCTET_STRING = 5, UTF8_PTR = 6 };
enum { CORE_GET_PARAMS = 2 };
enum { PROVIDER_GETTABLE_PARAMS = 1025, PROVIDER_GET_PARAMS = 1026, PROVIDER_QUERY_OPERATION = 1027 };
enum { KEYMGMT = 10, SIGNATURE = 12 };
enum { KEY_NEW = 1, KEY_FREE = 10, KEY_HAS = 21, KEY_IMPORT = 40, KEY_IMPORT_TYPES = 41 };
enum { SIG_NEWCTX = 1, SIG_VERIFY = 5, SIG_FREECTX = 16, SIG_VERIFY_MESSAGE_INIT = 30 };

static const param *gettable_params(void *provider)
{
    static const param list[] = {
        { "name", UTF8_PTR, NULL, 0, 0 }, { "version", UTF8_PTR, NULL, 0, 0 },
        { "status", UNSIGNED_INTEGER, NULL, 0, 0 }, { NULL, 0, NULL, 0, 0 }
    };
    (void)provider;
    return list;
}

static int get_params(void *provider, param *params)
{
    (void)provider;
    for (; params->key != NULL; params++) {
        if (strcmp(params->key, "name") == 0) {
            *(const char **)params->data = "Provider of a test";
        } else if (strcmp(params->key, "version") == 0) {
            *(const char **)params->data = "1.2.3";
        } else if (strcmp(params->key, "status") == 0) {
#ifdef STOPPED
            *(unsigned int *)params->data = 0;
#else
            *(unsigned int *)params->data = 1;
#endif
            params->returned = sizeof(unsigned int);
        }
    }
    return 1;
}

#ifdef REJECTS
static char anything;

static void *key_new(void *provider) { (void)provider; return &anything; }
static void key_free(void *key) { (void)key; }
static int key_has(const void *key, int selection) { (void)key; (void)selection; return 1; }

static int key_import(void *key, int selection, const param *params)
{
    (void)key; (void)selection; (void)params;
    return 1;
}

static const param *key_import_types(int selection)
{
    static const param list[] = { { "pub", OCTET_STRING, NULL, 0, 0 }, { NULL, 0, NULL, 0, 0 } };
    (void)selection;
    return list;
}

static void *newctx(void *provider, const char *query) { (void)provider; (void)query; return &anything; }
static void freectx(void *ctx) { (void)ctx; }

static int verify_message_init(void *ctx, void *key, const param *params)
{
    (void)ctx; (void)key; (void)params;
    return 1;
}

static int verify(void *ctx, const unsigned char *signature, size_t signature_length,
                  const unsigned char *message, size_t message_length)
{
    (void)ctx; (void)signature; (void)signature_length; (void)message; (void)message_length;
    return 0;
}

static const dispatch key_functions[] = {
    { KEY_NEW, (function)key_new }, { KEY_FREE, (function)key_free }, { KEY_HAS, (function)key_has },
    { KEY_IMPORT, (function)key_import }, { KEY_IMPORT_TYPES, (function)key_import_types }, { 0, NULL }
};
static const dispatch signature_functions[] = {
    { SIG_NEWCTX, (function)newctx }, { SIG_FREECTX, (function)freectx },
    { SIG_VERIFY_MESSAGE_INIT, (function)verify_message_init }, { SIG_VERIFY, (function)verify }, { 0, NULL }
};
static const algorithm keys[] = {
    { "ML-DSA-44", "provider=" NAME, key_functions, "keys" }, { NULL, NULL, NULL, NULL }
};
static const algorithm signatures[] = {
    { "ML-DSA-44", "provider=" NAME, signature_functions, "signatures" }, { NULL, NULL, NULL, NULL }
};
#endif

static const algorithm *query_operation(void *provider, int operation, int *no_cache)
{
    (void)provider;
    *no_cache = 0;
#ifdef REJECTS
    if (operation == KEYMGMT)
        return keys;
    if (operation == SIGNATURE)
        return signatures;
#else
    (void)operation;
#endif
    return NULL;
}

static const dispatch functions[] = {
    { PROVIDER_GETTABLE_PARAMS, (function)gettable_params }, { PROVIDER_GET_PARAMS, (function)get_params },
    { PROVIDER_QUERY_OPERATION, (function)query_operation }, { 0, NULL }
};

int OSSL_provider_init(const void *core, const dispatch *in, const dispatch **out, void **provider)
{
    static char instance;
#ifdef REFUSES
    return 0;
#endif
#ifdef NEEDS_SETTING
    const char *motto = NULL;
    param wanted[] = { { "motto", UTF8_PTR, &motto, 0, (size_t)-1 }, { NULL, 0, NULL, 0, 0 } };

    for (; in->id != 0; in++)
        if (in->id == CORE_GET_PARAMS)
            ((int (*)(const void *, param *))in->function)(core, wanted);
    if (motto == NULL || strcmp(motto, "hello") != 0)
        return 0;
#endif
    (void)core;
    (void)in;
    *out = functions;
    *provider = &instance;
    return 1;
}
