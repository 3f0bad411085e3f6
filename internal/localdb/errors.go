package localdb

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// Exception names of the service that the store raises.
const (
	validation         = "ValidationException"
	serialization      = "SerializationException"
	notFound           = "ResourceNotFoundException"
	inUse              = "ResourceInUseException"
	limitExceeded      = "LimitExceededException"
	conditionFailed    = "ConditionalCheckFailedException"
	throughputExceeded = "ProvisionedThroughputExceededException"
	throttling         = "ThrottlingException"
	internalError      = "InternalServerError"
	accessDenied       = "AccessDeniedException"
	expiredToken       = "ExpiredTokenException"
	unknownOperation   = "UnknownOperationException"
	missingToken       = "MissingAuthenticationTokenException"
	incompleteSign     = "IncompleteSignatureException"
	invalidSign        = "InvalidSignatureException"
	unknownClient      = "UnrecognizedClientException"
)

// apiError is a refusal in the service's words.
type apiError struct {
	code    string // the exception's name without its namespace
	message string
	item    attr.Form // the item that failed a condition, if asked for
}

func (e *apiError) Error() string { return e.code + ": " + e.message }

func fail(code, format string, args ...any) error {
	return &apiError{code: code, message: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) error { return fail(validation, format, args...) }

// invalidValue is a ValidationException with the service's usual opening.
func invalidValue(format string, args ...any) error {
	return invalid("One or more parameter values were invalid: "+format, args...)
}

// asAPIError gives the answer for any error of the store: what attr and expr
// refuse is the service's validation, anything else an internal error.
func asAPIError(err error) *apiError {
	var api *apiError
	var value *attr.Error
	var expression *expr.Error
	switch {
	case errors.As(err, &api):
		return api
	case errors.As(err, &value) && value.Serialization:
		return &apiError{code: serialization, message: value.Message}
	case errors.As(err, &value):
		return &apiError{code: validation, message: value.Message}
	case errors.As(err, &expression):
		return &apiError{code: validation, message: expression.Message}
	}
	return &apiError{code: internalError, message: err.Error()}
}

func (e *apiError) status() int {
	if e.code == internalError {
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// typeName is the exception's name with its namespace, as __type has it.
func (e *apiError) typeName() string {
	switch e.code {
	case validation:
		return "com.amazon.coral.validate#" + e.code
	case throttling:
		return "com.amazon.coral.availability#" + e.code
	case serialization, accessDenied, expiredToken, unknownOperation, missingToken, incompleteSign, invalidSign, unknownClient:
		return "com.amazon.coral.service#" + e.code
	}
	return "com.amazonaws.dynamodb.v20120810#" + e.code
}

// sdk is the error as the SDK's deserializer would give it.
func (e *apiError) sdk() error {
	message := &e.message
	switch e.code {
	case conditionFailed:
		return &types.ConditionalCheckFailedException{Message: message, Item: e.item.SDK()}
	case notFound:
		return &types.ResourceNotFoundException{Message: message}
	case inUse:
		return &types.ResourceInUseException{Message: message}
	case limitExceeded:
		return &types.LimitExceededException{Message: message}
	case throughputExceeded:
		return &types.ProvisionedThroughputExceededException{Message: message}
	case throttling:
		return &types.ThrottlingException{Message: message}
	case internalError:
		return &types.InternalServerError{Message: message}
	}
	return &smithy.GenericAPIError{Code: e.code, Message: e.message, Fault: smithy.FaultClient}
}
